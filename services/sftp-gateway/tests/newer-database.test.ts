import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';

let rig: GatewayRig;

beforeAll(async () => {
  rig = await createGatewayRig();
  await (await rig.start('peer1'))[Symbol.asyncDispose]();
});
afterAll(() => rig[Symbol.asyncDispose]());

test.each(['directory', 'filebox', 'outbox', 'sftp_gateway'])(
  'a gateway does not start while a newer release has migrated the schema %s',
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
