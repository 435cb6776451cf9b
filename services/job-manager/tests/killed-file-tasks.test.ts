import { once } from 'node:events';
import { openDirectory } from '@waybill/directory/open-directory';
import { sweepUploads } from '@waybill/filebox/upkeep/sweep-uploads';
import { generatePgpKey } from '@waybill/pgp/generate-pgp-key';
import { existing } from '@waybill/test-kit/values/existing';
import { beforeAll, describe, expect, it } from 'vitest';
import { holdEffects, type HeldEffects } from './held-effects.ts';
import { bothPlaces, fileTaskCases, fileTaskWorkflows, prepareCase, stateOf } from './task-cases.ts';
import { workerRig } from './worker-rig.ts';

const rig = workerRig();
const names = Object.keys(fileTaskCases);
/** As many connections as jobs: each waits in a statement of its own. */
const many = { JOB_CONCURRENCY: '32', DATABASE_POOL_SIZE: '40', JOB_LEASE_SECONDS: '6' };
let globexId: string;

const folderOf = (round: string, name: string): string => `${round}-${name.replaceAll(' ', '-')}`;

/** Submits a job for each task, in folders that begin with `round`. */
async function submitAll(round: string): Promise<number[]> {
  const jobs: number[] = [];
  for (const name of names) {
    const at = await prepareCase(rig.platform, globexId, folderOf(round, name));
    jobs.push(await rig.submit(name, { at }));
  }
  return jobs;
}

async function expectCompleted(jobs: readonly number[]): Promise<void> {
  const ends = await Promise.all(jobs.map((id) => rig.ended(id, 300_000)));
  expect(ends.map(({ status, message }, index) => `${names[index]}: ${status} ${message}`)).toEqual(
    names.map((name) => `${name}: COMPLETED All steps are done (1)`),
  );
}

beforeAll(async () => {
  const own = await generatePgpKey({ kind: 'ecc', user: { name: 'Waybill', email: 'own@waybill.test' }, days: 100 });
  const more = { pgpKeys: [{ name: 'own', publicKey: own.publicKey }] };
  await rig.configure({ ...bothPlaces, workflows: fileTaskWorkflows, more });
  globexId = existing(await openDirectory({ db: rig.platform.db }).findVfsByName('globex-files')).id;
});

/** What happens to the statements of a worker that was killed in the middle of them. */
const ends: Readonly<Record<string, (held: HeldEffects) => Promise<void>>> = {
  'are undone': async (held) => {
    await held.undo();
    await held.letGo();
  },
  'are committed all the same': (held) => held.letGo(),
};

describe.each(Object.keys(ends))('a worker is killed in the middle of changes that %s', (end) => {
  const round = end.replaceAll(' ', '-');

  beforeAll(async () => {
    const victim = rig.start(`victim-${round}`, many);
    await expectCompleted(await submitAll(`undisturbed-${round}`));
    const held = await holdEffects(rig.platform);
    const jobs = await submitAll(round);
    await held.untilWaiting(jobs.length);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    await existing(ends[end])(held);
    const heir = rig.start(`heir-${round}`, { JOB_CONCURRENCY: '4' });
    await expectCompleted(jobs);
    heir.kill('SIGTERM');
    await once(heir, 'exit');
  }, 600_000);

  it.each(names)('after %s everything is as if nothing had happened', async (name) => {
    const undisturbed = await stateOf(rig, folderOf(`undisturbed-${round}`, name));
    expect(await stateOf(rig, folderOf(round, name))).toEqual(undisturbed);
  });

  it('leaves nothing behind', async () => {
    await rig.query(`UPDATE filebox.uploads SET lease_until = now() - interval '25 hours'`);
    await sweepUploads({ db: rig.platform.db, signal: new AbortController().signal });
    expect(await rig.query('SELECT FROM filebox.uploads')).toEqual([]);
  });
});
