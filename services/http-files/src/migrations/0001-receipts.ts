import type { Migration } from '@waybill/postgres/migrate';

/** The receipts of uploads; and the idempotency keys of those whose request may be repeated. */
export const receipts: Migration = {
  name: '0001_receipts',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE http_files.receipts (
        fileset bigint PRIMARY KEY,
        user_name text NOT NULL,
        path text NOT NULL,
        size bigint NOT NULL,
        sha256 bytea NOT NULL CHECK (length(sha256) = 32),
        stored_at timestamptz(3) NOT NULL,
        dfiid text NOT NULL
      );
      CREATE TABLE http_files.idempotency_keys (
        user_name text NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        fileset bigint NOT NULL REFERENCES http_files.receipts (fileset),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (user_name, key)
      );
      CREATE INDEX idempotency_keys_expiry ON http_files.idempotency_keys (expires_at);
    `);
  },
};
