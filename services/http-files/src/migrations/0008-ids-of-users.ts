import type { Migration } from '@waybill/postgres/migrate';

/**
 * Keeps the id of the user, because another user can get the name of one who was deleted. A receipt without an id is from before this
 * migration, and of the user who had the name when it was stored. Keys and uploads, of which there are few, are those of the present
 * users.
 */
export const idsOfUsers: Migration = {
  name: '0008_ids_of_users',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE http_files.receipts ADD COLUMN user_id bigint;

      ALTER TABLE http_files.idempotency_keys ADD COLUMN user_id bigint;
      UPDATE http_files.idempotency_keys k SET user_id = u.id
      FROM directory.partner_users u, http_files.receipts r
      WHERE u.name = k.user_name AND r.fileset = k.fileset AND r.stored_at >= u.created_at;
      DELETE FROM http_files.idempotency_keys WHERE user_id IS NULL;
      ALTER TABLE http_files.idempotency_keys DROP COLUMN user_name;
      ALTER TABLE http_files.idempotency_keys ADD PRIMARY KEY (user_id, key);

      ALTER TABLE http_files.resumable_uploads ADD COLUMN user_id bigint;
      UPDATE http_files.resumable_uploads SET user_id = u.id FROM directory.partner_users u WHERE u.name = user_name;
      DELETE FROM http_files.resumable_uploads WHERE user_id IS NULL;
      ALTER TABLE http_files.resumable_uploads DROP COLUMN user_name;
      ALTER TABLE http_files.resumable_uploads ALTER COLUMN user_id SET NOT NULL;
      CREATE INDEX resumable_uploads_unfinished ON http_files.resumable_uploads (user_id) WHERE fileset IS NULL;
      CREATE UNIQUE INDEX resumable_uploads_key ON http_files.resumable_uploads (user_id, idempotency_key)
        WHERE idempotency_key IS NOT NULL;
    `);
  },
};
