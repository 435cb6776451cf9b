import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayRig } from './replay-rig.ts';

const { rig, received, onRequest, startWorker, deliver } = replayRig();

let folder: Awaited<ReturnType<typeof createTestFolder>>;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

async function replay(...args: readonly string[]) {
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${rig.manager.admin}\n`);
  return await runWaybill(['webhook', 'replay', ...args, '--url', rig.manager.url, '--token', token]);
}

const linesOf = ({ out }: { readonly out: string }) =>
  out
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('waybill webhook replay --all', () => {
  it('replays each webhook with a delivery that matches once, and tells what became of each', async () => {
    await using _worker = await startWorker();
    onRequest((response) => void response.writeHead(410).end());
    const first = await deliver('hook', 'ERROR');
    const large = await deliver('large', 'ERROR');
    const failing = await replay('--all', '--outcome', 'failed', '--json');
    expect([failing.code, failing.err]).toEqual([1, expect.stringContaining('2 of 2 webhooks were not delivered')]);
    const about = ({ id, job, webhookId }: typeof first) => ({ delivery: id, connection: 'hooks', job, webhookId });
    expect(linesOf(failing)).toEqual([
      // Its body is longer than those that are kept.
      { ...about(large), result: 'refused', message: expect.stringContaining('body') },
      { ...about(first), result: 'failed', replay: expect.any(Number), message: 'remote_refused' },
    ]);

    onRequest((response) => void response.writeHead(202).end());
    const before = received.length;
    const filters = ['--all', '--outcome', 'failed', '--job', String(first.job)];
    const tried = await replay(...filters, '--dry-run');
    expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was replayed.') });
    expect(received).toHaveLength(before);
    // The first attempt and its replay have failed: the receiver gets the webhook once.
    const done = await replay(...filters);
    expect(done).toMatchObject({ code: 0, err: '', out: expect.stringContaining('All webhooks were delivered.') });
    expect(received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([first.webhookId]);
  });

  it.each([
    [['--all'], 'give a filter such as --outcome failed with --all'],
    [['--all', '17'], 'give the number of a delivery, or --all'],
    [[], 'give the number of a delivery, or --all'],
    [['17', '--outcome', 'failed'], '--outcome belongs to --all'],
    [['--all', '--outcome', 'lost'], 'Allowed choices are delivered, failed'],
  ])('is refused with %j', async (args, message) => {
    expect(await replay(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it('says when nothing matches', async () => {
    expect(await replay('--all', '--job', '999999')).toMatchObject({
      code: 0,
      out: expect.stringContaining('No delivery matches.'),
    });
  });
});
