import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

/** Beyond loopback, health and metrics need a separate listener. */
const exposed = { HOST: '0.0.0.0', OPERATIONS_PORT: '0' };
let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform[Symbol.asyncDispose]());

test.each([exposed, { PUBLISHED_ADDRESS: '192.0.2.7' }])(
  'an administrator with the password of the demo is refused with %j, as with a wrong one',
  async (env) => {
    await expect(startTestJobManager(platform, env)).rejects.toThrow(/no login: .*invalid_credentials/u);
  },
);

test('and logs in where nothing but loopback reaches the manager', async () => {
  await using manager = await startTestJobManager(platform, { ...exposed, PUBLISHED_ADDRESS: '127.0.0.1' });
  expect(manager.admin).not.toBe('');
});
