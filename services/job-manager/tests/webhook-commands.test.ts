import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { expect, it } from 'vitest';
import { replayRig } from './replay-rig.ts';

const program = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const { rig, onRequest, startWorker, deliver } = replayRig();

it('waybill webhook lists deliveries, and replays one', async () => {
  await using folder = await createTestFolder();
  await using _worker = await startWorker();
  const { id, job } = await deliver('hook');
  const token = join(folder.path, 'token');
  await writeFile(token, rig.manager.admin);
  const run = (...args: readonly string[]): Promise<{ code: number; out: string }> =>
    new Promise((resolve) => {
      const all = [program, 'webhook', ...args, '--url', rig.manager.url, '--token', token];
      execFile(process.execPath, all, { env: spawnEnvironment({}) }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out: out + err });
      });
    });
  expect(await run('list', '--job', String(job))).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`^${id} {2}\\S+ {2}job ${job} only {2}hooks {2}delivered 204\\n$`, 'u')),
  });
  expect(await run('replay', String(id))).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`delivered 204 {2}replay of ${id}\\n$`, 'u')),
  });
  onRequest((response) => void response.writeHead(500).end());
  expect(await run('replay', String(id))).toMatchObject({ code: 2, out: expect.stringContaining('connection_failed') });
  expect(await run('replay', '999999999')).toMatchObject({ code: 1, out: expect.stringContaining('999999999') });
  expect((await run('replay', '../x')).code).toBe(2);
});
