import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform[Symbol.asyncDispose]());

test.each(['directory', 'access', 'filebox', 'outbox', 'jobs'])(
  'a job manager does not start while a newer release has migrated the schema %s',
  async (schema) => {
    await platform.database.query(`insert into ${schema}.migrations (name) values ('9999_later')`);
    await expect(startTestJobManager(platform)).rejects.toMatchObject({
      code: 'database_mismatch',
      message: expect.stringContaining(
        `the database is newer than this release, which does not know the migration ${schema}.9999_later:`,
      ),
    });
    await platform.database.query(`delete from ${schema}.migrations where name = '9999_later'`);
  },
);
