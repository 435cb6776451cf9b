import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { migrate } from '@waybill/postgres/migrate';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuditRig } from './audit-rig.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let rig: Awaited<ReturnType<typeof createAuditRig>>;

beforeAll(async () => {
  rig = await createAuditRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

test.each(['outbox', 'audit'])(
  'the service ends with code 1 and one sentence when a newer release has migrated the schema %s',
  async (schema) => {
    await rig.record.db.withSchema(schema).insert({ name: '9999_later' }).into('migrations');
    const env = spawnEnvironment(rig.env);
    await expect(run(process.execPath, [main], { env, timeout: 20_000 })).rejects.toMatchObject({
      code: 1,
      stderr:
        `audit: could not start: the database is newer than this release, which does not know the migration ${schema}.9999_later: ` +
        'start the release that the database was migrated for, or restore the backup from before the migration\n',
    });
    await rig.record.db.withSchema(schema).from('migrations').where({ name: '9999_later' }).delete();
  },
);

test('the service starts beside newer schemas that it has nothing to do with', async () => {
  await migrate(rig.record.db, { schema: 'filebox', migrations: [{ name: '9999_later', up: async () => {} }] });
  await using audit = await rig.start();
  expect((await audit.client.get('/health/ready')).status).toBe(200);
});
