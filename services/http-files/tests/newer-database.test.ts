import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig } from './files-rig.ts';

let rig: FilesRig;

beforeAll(async () => {
  rig = await createFilesRig();
  await (await rig.start('peer1'))[Symbol.asyncDispose]();
});
afterAll(() => rig[Symbol.asyncDispose]());

test.each(['directory', 'filebox', 'outbox', 'http_files'])(
  'a peer does not start while a newer release has migrated the schema %s',
  async (schema) => {
    await rig.database.query(`insert into ${schema}.migrations (name) values ('9999_later')`);
    await expect(rig.start('peer1')).rejects.toMatchObject({
      code: 'database_mismatch',
      message: expect.stringContaining(
        `the database is newer than this release, which does not know the migration ${schema}.9999_later:`,
      ),
    });
    await rig.database.query(`delete from ${schema}.migrations where name = '9999_later'`);
  },
);

test('a peer does not start before the database is migrated for it', async () => {
  await rig.database.query("delete from outbox.migrations where name = '0003_steady_plans'");
  await expect(rig.start('peer1')).rejects.toThrow(
    /run `waybill migrate` first, which applies outbox\.0003_steady_plans$/u,
  );
});
