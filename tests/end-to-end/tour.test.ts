import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';

const tour = fileURLToPath(new URL('../../tools/tour/src/main.ts', import.meta.url));
const run = promisify(execFile);

describe('npm run tour', () => {
  let platform: PlatformProcess;

  beforeAll(async () => {
    platform = await startPlatformProcess();
  });
  afterAll(() => platform[Symbol.asyncDispose]());

  const take = (http: string, ...more: string[]) =>
    run(process.execPath, [tour, '--http', http, '--sftp', `127.0.0.1:${platform.sftpPort}`, ...more]);

  it('finds what npm start has started, and passes against it as often as it is taken', async () => {
    const env = { ...process.env, WAYBILL_DIR: platform.folder };
    const found = await run(process.execPath, [tour], { env });
    expect(found.stdout).toContain('13 steps, all successful.');
    const { stdout } = await take(platform.url, '--key', platform.acmeKeyFile);
    expect(stdout).toContain('13 steps, all successful.');
  });

  it('says in one sentence that nothing runs there', async () => {
    await expect(take('http://127.0.0.1:9')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:9: start Waybill .+\n$/u),
    });
  });

  it('fails with exit code 1 at the first step that fails', async () => {
    const stranger = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    try {
      await expect(take(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringContaining('✗ acme logs in over HTTP'),
        stderr: expect.stringContaining('The tour ends here'),
      });
    } finally {
      stranger.closeAllConnections();
      stranger.close();
    }
  });
});
