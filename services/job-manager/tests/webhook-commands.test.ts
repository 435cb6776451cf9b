import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { replayRig } from './replay-rig.ts';
import { runWaybill } from './waybill-command.ts';

const { rig, onRequest, startWorker, deliver } = replayRig();

it('waybill webhook lists deliveries, and replays one', async () => {
  await using folder = await createTestFolder();
  await using _worker = await startWorker();
  const { id, job } = await deliver('hook');
  const token = join(folder.path, 'token');
  await writeFile(token, rig.manager.admin);
  const run = (...args: readonly string[]) =>
    runWaybill('webhook', ...args, '--url', rig.manager.url, '--token', token);
  expect(await run('list', '--job', String(job))).toEqual({
    code: 0,
    out: expect.stringMatching(
      new RegExp(`^DELIVERY +BEGUN +JOB .*\n${id} +\\S+ +${job} +only +hooks +delivered +204\n$`, 'u'),
    ),
  });
  expect(await run('replay', String(id))).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`REPLAY OF +ERROR\n.*delivered +204 +${id}\n$`, 'u')),
  });
  onRequest((response) => void response.writeHead(500).end());
  expect(await run('replay', String(id))).toMatchObject({ code: 1, out: expect.stringContaining('connection_failed') });
  expect(await run('replay', '999999999')).toMatchObject({ code: 1, out: expect.stringContaining('999999999') });
  expect((await run('replay', '../x')).code).toBe(2);
});
