import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const site = oneJobManager();

let made = 0;

/** The numbers of new jobs, suspended in a closed queue. */
async function makeJobs(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let left = count; left > 0; left -= 1) {
    made += 1;
    const body = { contractName: 'closed', actionName: 'write-report', actionVariables: { name: `many-${made}` } };
    ids.push(((await site.manager.submit(body)).json() as ShownJob).id);
  }
  for (const id of ids) await site.manager.reaches(id, 'SUSPENDED');
  return ids;
}

describe('waybill jobs abort, resume and resubmit with --all', () => {
  const lines = (out: string) => out.split('\n').filter((line) => line.startsWith('{'));
  const many = async (command: string, ...args: string[]) => {
    await using access = await platformAccess(site.manager);
    return await runWaybill('jobs', ...command.split(' '), '--all', ...args, ...access.options);
  };
  const suspended = ['--queue', 'Closed', '--status', 'SUSPENDED'];

  it('abort: rehearsed, then done to each job, with a result for each', async () => {
    const ids = await makeJobs(3);
    const rehearsed = await many('abort', ...suspended, '--dry-run', '--json');
    expect(rehearsed.code).toBe(0);
    expect(lines(rehearsed.out).map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(ids);
    for (const id of ids) expect((await site.manager.job(id)).status).toBe('SUSPENDED');
    const done = await many('abort', ...suspended, '--reason', 'no longer needed');
    expect(done).toEqual({
      code: 0,
      out: expect.stringMatching(/^JOB +RESULT +STATUS[\s\S]*\n3 jobs were changed\.\n$/u),
    });
    for (const id of ids) expect(done.out).toMatch(new RegExp(`^${id} +ok +ABORTED +Aborted by admin`, 'mu'));
    expect(await many('abort', ...suspended)).toEqual({ code: 0, out: 'There are none.\n' });
  });

  it('resubmit: ends with exit code 1 if a job is refused, and makes no second jobs when it is repeated', async () => {
    const [first = 0] = await makeJobs(1);
    const refused = await many('resubmit', ...suspended, '--id', `many-${first}`);
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(
      new RegExp(`^${first} +job_transition_refused[\\s\\S]*waybill jobs resubmit: 1 of 1 jobs were refused\n$`, 'mu'),
    );
    await many('abort', ...suspended);
    const again = async () => {
      const { code, out } = await many(
        'resubmit',
        '--queue',
        'Closed',
        '--status',
        'ABORTED',
        '--id',
        'cli 1',
        '--json',
      );
      expect(code, out).toBe(0);
      return lines(out).map((line) => JSON.parse(line) as { id: number; newId: number });
    };
    const made = (await again()).map(({ id, newId }) => [id, newId]);
    expect(made).toContainEqual([first, expect.any(Number)]);
    expect((await again()).map(({ id, newId }) => [id, newId])).toEqual(made);
    await many('abort', ...suspended);
  });

  it.each([
    [['jobs', 'abort', '--all'], 'give a filter'],
    [['jobs', 'abort', '12', '--all', '--status', 'ERROR'], 'give the number of a job, or --all'],
    [['jobs', 'resume', '12', '--status', 'ERROR'], '--status belongs to --all'],
    [['jobs', 'resume', '12', '--dry-run'], '--dry-run belongs to --all'],
    [['jobs', 'resubmit'], 'give the number of a job'],
    [['jobs', 'resubmit', '--status', 'ERROR'], '--status belongs to --all'],
    [['jobs', 'abort', '--all', '--status', 'wrong'], 'Allowed choices are'],
    [['jobs', 'abort', '--all', '--created-from', 'monday'], 'createdAtFrom'],
  ])('%j changes nothing', async (args, sentence) => {
    await using access = await platformAccess(site.manager);
    const { code, out } = await runWaybill(...args, ...access.options);
    expect([1, 2]).toContain(code);
    expect(out).toContain(sentence);
  });
});
