import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform[Symbol.asyncDispose]());

test.each([{ HOST: '0.0.0.0' }, { PUBLISHED_ADDRESS: '192.0.2.7' }])(
  'an administrator with the password of the demo is refused with %j, as with a wrong one',
  async (env) => {
    await expect(startTestJobManager(platform, env)).rejects.toThrow(/no login: .*invalid_credentials/u);
  },
);

test('and logs in where nothing but loopback reaches the manager', async () => {
  await using manager = await startTestJobManager(platform, { HOST: '0.0.0.0', PUBLISHED_ADDRESS: '127.0.0.1' });
  expect(manager.admin).not.toBe('');
});
