import { jobSortFields, listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { existing } from '@waybill/test-kit/values/existing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { jobIn, openQueue } from './claimable.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { testSite } from './start-test-platform.ts';
import { oneJobManager } from './test-managers.ts';

// No worker and no scheduler: the jobs stay as the test makes them.
const site = oneJobManager({ ROLE: 'api' });
type Shown = ShownJob & Readonly<Record<string, unknown>>;
type Value = string | number;
let all: Shown[];

/** Twelve jobs, in two ranges, of which no two are alike and each shares something with some. */
beforeAll(async () => {
  const register = createKnexJobRegister(site.platform.db, { site: testSite });
  const ledger = createKnexJobLedger({
    db: site.platform.db,
    owner: 'w',
    leaseMs: 60_000,
    patienceMs: 60_000,
    site: testSite,
  });
  for (let n = 0; n < 12; n += 1) {
    if (n === 6) await site.platform.database.query(`SELECT setval('jobs.job_ids', 1000000, false)`);
    const job = jobIn(`q${n % 3}`);
    const workflow = {
      ...job.workflow,
      templateId: 1 + (n % 2),
      templateName: `w${n % 4}`,
      templateRevision: 1 + (n % 5),
    };
    await register.add({
      ...job,
      workflow,
      contract: `c${n % 4}`,
      actor: `a${n % 2}`,
      contractType: n % 2 === 0 ? 'Input' : 'Output',
      contractAction: `action ${n % 3}`,
      contractActionTrigger: n % 4 === 0 ? 'NewFile' : 'OnDemand',
      dfic: { dfiid: `d${n % 6}`, lcid: `l${n % 3}`, userAttrs: {} },
      extIPID: n % 3 === 0 ? `order ${n % 2}` : undefined,
    });
    for (const { hold } of await ledger.claim([openQueue('q0'), openQueue('q1')], n % 2)) {
      if (n % 3 === 0) await ledger.failJob(hold, 1, 'no');
      else await ledger.completeJob(hold, 1, {}, 'done');
    }
  }
  all = await list({ sort: '+id' });
});

async function list(query: Readonly<Record<string, Value>>): Promise<Shown[]> {
  return (await site.manager.jobs(query)).jobs as Shown[];
}

/** What a filter or an order of this name compares. */
function valueOf(job: Shown, name: string): Value | undefined {
  const bound = /^(.+?)(?:From|To|Part)$/u.exec(name)?.[1];
  const value = job[bound ?? name] ?? job.contractActionWorkflowInstance[bound ?? name] ?? job.dfic[name];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** What is asked for with a value: for a part, its last letters, in capitals. */
function askedFor(name: string, value: Value): Value {
  return name.endsWith('Part') ? String(value).slice(-1).toUpperCase() : value;
}

function matches(job: Shown, name: string, value: Value): boolean {
  const own = valueOf(job, name);
  if (own === undefined) return false;
  if (name.endsWith('From')) return own >= value;
  if (name.endsWith('Part')) return String(own).toLowerCase().includes(String(value).toLowerCase());
  return name.endsWith('To') ? own <= value : own === value;
}

function sorted(jobs: readonly Shown[], field: string): Shown[] {
  const compare = (one: Value = '', other: Value = ''): number => Number(one > other) - Number(one < other);
  return jobs.toSorted((one, other) => compare(valueOf(one, field), valueOf(other, field)) || one.id - other.id);
}

const idsOf = (jobs: readonly Shown[]): number[] => jobs.map(({ id }) => id);
const { maxItems: _, sort: _sort, cursor: _cursor, ...filterShapes } = listJobsEndpoint.query.shape;
const filters = Object.keys(filterShapes);

describe('a listing of jobs', () => {
  it('has jobs of every status in two ranges to choose from', () => {
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['SUBMITTED', 'COMPLETED', 'ERROR']));
    expect(idsOf(all)).toEqual(expect.arrayContaining([1, 1_000_000]));
  });

  it.each(filters)('filtered by %s has, in each order, the jobs that a comparison with all finds', async (name) => {
    const values = new Set(all.map((job) => valueOf(job, name)).filter((value) => value !== undefined));
    expect(values.size).toBeGreaterThan(0);
    const tried = [...values].filter((_value, index) => index % Math.ceil(values.size / 3) === 0);
    for (const whole of tried) {
      const value = askedFor(name, whole);
      for (const field of jobSortFields) {
        const expected = sorted(
          all.filter((job) => matches(job, name, value)),
          field,
        );
        expect(idsOf(await list({ [name]: value, sort: `+${field}` })), `${value} by +${field}`).toEqual(
          idsOf(expected),
        );
        expect(idsOf(await list({ [name]: value, sort: `-${field}` })), `${value} by -${field}`).toEqual(
          idsOf(expected.toReversed()),
        );
      }
    }
  });

  it('filtered by two has the jobs that match both, for any two', async () => {
    const job = existing(all[9]);
    for (const one of filters) {
      for (const other of filters) {
        const [ofFirst, ofSecond] = [valueOf(job, one), valueOf(existing(all[3]), other)];
        if (one === other || ofFirst === undefined || ofSecond === undefined) continue;
        const [first, second] = [askedFor(one, ofFirst), askedFor(other, ofSecond)];
        const expected = all.filter((each) => matches(each, one, first) && matches(each, other, second));
        expect(idsOf(await list({ [one]: first, [other]: second, sort: '+id' })), `${one}, ${other}`).toEqual(
          idsOf(expected),
        );
      }
    }
  });

  it('filtered by everything that a job has, has that job alone', async () => {
    const job = existing(all[9]);
    const query = Object.fromEntries(filters.map((name) => [name, valueOf(job, name) ?? '']));
    expect(idsOf(await list(query))).toEqual([job.id]);
    for (const field of jobSortFields) expect(idsOf(await list({ ...query, sort: `-${field}` }))).toEqual([job.id]);
  });
});
