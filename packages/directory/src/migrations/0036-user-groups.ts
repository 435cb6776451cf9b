import type { Migration } from '@waybill/postgres/migrate';

/** Groups of actors that have settings. What a group gives and how it limits its members is derived from them. */
export const userGroups: Migration = {
  name: '0036_user_groups',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.user_groups (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        actor_id bigint NOT NULL REFERENCES directory.actors DEFERRABLE INITIALLY DEFERRED,
        name text NOT NULL,
        source text,
        definition jsonb NOT NULL,
        UNIQUE (actor_id, name)
      );
      CREATE CONSTRAINT TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE ON directory.user_groups
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION directory.note_access_change();
    `);
  },
};
