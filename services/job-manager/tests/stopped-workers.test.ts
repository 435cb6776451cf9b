import { once } from 'node:events';
import { openDirectory } from '@waybill/directory/open-directory';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeAll, expect, it } from 'vitest';
import { holdEffects } from './held-effects.ts';
import { bothPlaces, fileTaskWorkflows, prepareCase, stateOf } from './task-cases.ts';
import { workerRig } from './worker-rig.ts';

const rig = workerRig();
/** A change of every kind, none of which needs the bytes of a file; and one that does. */
const names = [
  'rename',
  'delete',
  'delete a folder',
  'set-metadata',
  'make-folder',
  'move',
  'copy',
  'write-file',
] as const;
const many = { JOB_CONCURRENCY: '16', DATABASE_POOL_SIZE: '20' };
let globexId: string;

beforeAll(async () => {
  const workflows = Object.fromEntries(names.map((name) => [name, existing(fileTaskWorkflows[name])]));
  await rig.configure({ ...bothPlaces, workflows });
  globexId = existing(await openDirectory({ db: rig.platform.db }).findVfsByName('globex-files')).id;
});

const folderOf = (round: string, name: string): string => `${round}-${name.replaceAll(' ', '-')}`;

async function submitAll(round: string): Promise<number[]> {
  const jobs: number[] = [];
  for (const name of names) {
    const at = await prepareCase(rig.platform, globexId, folderOf(round, name));
    jobs.push(await rig.submit(name, { at }));
  }
  return jobs;
}

const completed = async (jobs: readonly number[]): Promise<void> => {
  for (const id of jobs) expect(await rig.ended(id)).toMatchObject({ status: 'COMPLETED' });
};
/** The tokens of the holders, by job. */
const fencesOf = async (jobs: readonly number[]): Promise<Map<number, unknown>> => {
  const rows = await rig.query('SELECT job_id, fence FROM jobs.active WHERE job_id = ANY ($1)', jobs);
  return new Map(rows.map(({ job_id: id, fence }) => [Number(id), fence]));
};

it('a worker that was stopped, and whose jobs another one has taken over, changes nothing any more', async () => {
  const stopped = rig.start('stopped', many);
  await completed(await submitAll('undisturbed'));
  const held = await holdEffects(rig.platform);
  const jobs = await submitAll('fenced');
  await held.untilWaiting(jobs.length);
  const before = await fencesOf(jobs);
  stopped.kill('SIGSTOP');
  rig.start('heir', many);
  // The changes of the stopped worker are made, and not committed, when its jobs get another holder.
  const isTakenOver = async (): Promise<boolean> => {
    const now = await fencesOf(jobs);
    return jobs.every((id) => now.get(id) !== null && now.get(id) !== before.get(id));
  };
  await waitFor(isTakenOver, { what: 'the jobs to be taken over', timeoutMs: 60_000 });
  await held.letGo();
  await completed(jobs);
  stopped.kill('SIGCONT');

  for (const name of names) {
    const undisturbed = await stateOf(rig, folderOf('undisturbed', name));
    expect(await stateOf(rig, folderOf('fenced', name)), name).toEqual(undisturbed);
    const made = await rig.query(
      `SELECT DISTINCT payload ->> 'nodeId' AS node FROM outbox.events
       WHERE topic = 'audit-event' AND payload ->> 'auditMessage' LIKE $1 AND payload ->> 'nodeId' IN ('stopped', 'heir')`,
      `%/${folderOf('fenced', name)}/%`,
    );
    expect(made, name).toEqual([{ node: 'heir' }]);
  }
  // It lives, and goes on with other jobs.
  expect(stopped.exitCode).toBeNull();
  stopped.kill('SIGTERM');
  expect((await once(stopped, 'exit'))[0]).toBe(0);
}, 240_000);
