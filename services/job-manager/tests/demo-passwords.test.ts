import { createLogger } from '@waybill/service-kit/telemetry/logger';
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

test.each([
  [exposed, 'HOST=0.0.0.0'],
  [{ PUBLISHED_ADDRESS: '192.0.2.7' }, 'PUBLISHED_ADDRESS=192.0.2.7'],
])(
  'an administrator with the password of the demo is refused with %j, as with a wrong one, and the log names the setting',
  async (env, exposure) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'job-manager', level: 'error', destination });
    const attempt = startTestJobManager({ ...platform, logger }, env);
    await expect(attempt).rejects.toThrow(/no login: .*invalid_credentials/u);
    const sentence = `admin has a password of the demo configuration, which is refused because other machines can reach this service (${exposure}): give the user another one`;
    // At the start, and at the login.
    expect(lines.filter((line) => line.includes(sentence))).toHaveLength(2);
  },
);

test('and logs in where nothing but loopback reaches the manager', async () => {
  await using manager = await startTestJobManager(platform, { ...exposed, PUBLISHED_ADDRESS: '127.0.0.1' });
  expect(manager.admin).not.toBe('');
});
