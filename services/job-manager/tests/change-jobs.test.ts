import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

interface Outcome {
  operation: string;
  dryRun: boolean;
  results: { id: number; statusCode: number; errorCode?: string; message: string; status: string; newId?: number }[];
  next?: string;
}

const path = '/job-manager/jobs/bulk';
const post = (json: unknown, bearer = site.manager.admin) =>
  site.manager.client.post(path, { json, bearer, timeoutMs: 60_000 });
const change = async (body: object): Promise<Outcome> => {
  const response = await post({ dryRun: false, ...body });
  if (response.status !== 200) throw new Error(response.text);
  return response.json() as Outcome;
};

let runs = 0;

/** The numbers of new jobs, all in ERROR, or suspended in a closed queue. */
async function makeJobs(count: number, kind: 'failing' | 'suspended' = 'failing'): Promise<number[]> {
  runs += 1;
  const bodies = Array.from({ length: count }, (_, index) =>
    kind === 'failing'
      ? { contractName: 'invoices', actionName: 'write-nowhere', actionVariables: { index } }
      : { contractName: 'closed', actionName: 'write-report', actionVariables: { name: `bulk-${runs}-${index}` } },
  );
  const ids: number[] = [];
  for (const body of bodies) ids.push(((await site.manager.submit(body)).json() as ShownJob).id);
  for (const id of ids) await site.manager.reaches(id, kind === 'failing' ? 'ERROR' : 'SUSPENDED');
  return ids;
}

/** The aborted jobs that the metrics count. */
async function countAborted(): Promise<number> {
  const { text } = await site.manager.client.get('/metrics');
  const counts = [...text.matchAll(/^waybill_jobs_ended_total\{[^}]*"ABORTED"[^}]*\} (\d+)$/gmu)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('POST /job-manager/jobs/bulk', () => {
  it('tells in a dry run what would change and why others are left out, and changes nothing', async () => {
    const ids = await makeJobs(2);
    const [first = 0, second = 0] = ids;
    await site.manager.client.post(`/job-manager/jobs/${second}/abort`, { bearer: site.manager.admin });
    const before = await Promise.all(ids.map((id) => site.manager.job(id)));
    const outcome = await change({ operation: 'resume', filter: { contract: 'invoices' }, dryRun: true });
    expect(outcome).toMatchObject({ operation: 'resume', dryRun: true });
    expect(outcome.results).toContainEqual({
      id: first,
      statusCode: 200,
      message: 'It would be resumed',
      status: 'ERROR',
    });
    expect(outcome.results).toContainEqual({
      id: second,
      statusCode: 409,
      errorCode: 'job_transition_refused',
      message: `Job ${second} is ABORTED: resume is not possible`,
      status: 'ABORTED',
    });
    expect(await Promise.all(ids.map((id) => site.manager.job(id)))).toEqual(before);
  });

  it('does to each job what the request for one does, with its history and its audit record', async () => {
    const ids = await makeJobs(3, 'suspended');
    const filter = { queue: 'Closed', status: 'SUSPENDED' };
    const before = await countAborted();
    const outcome = await change({ operation: 'abort', filter, reason: 'no longer needed' });
    expect(await countAborted()).toBe(before + 3);
    expect(outcome.next).toBeUndefined();
    expect(outcome.results).toEqual(
      ids.map((id) => ({ id, statusCode: 200, message: 'Aborted by admin: no longer needed', status: 'ABORTED' })),
    );
    for (const id of ids) {
      expect((await site.manager.job(id)).history?.at(-1)).toMatchObject({ to: 'ABORTED', by: 'admin' });
      const records = await site.platform.database.query(
        `SELECT payload ->> 'auditMessage' AS message FROM outbox.events
         WHERE payload ->> 'auditCode' = 'AUD0022A' AND payload ->> 'entityId' = $1`,
        [String(id)],
      );
      expect(records).toEqual([
        { message: `User admin has aborted job ${id} of closed/write-report: no longer needed` },
      ]);
    }
    // Repeated, it finds nothing more to do.
    expect(await change({ operation: 'abort', filter })).toEqual({ operation: 'abort', dryRun: false, results: [] });
  });

  it('goes on from page to page, and looks at each job once', async () => {
    const ids = await makeJobs(5, 'suspended');
    const filter = { queue: 'Closed', status: 'SUSPENDED' };
    const seen: number[] = [];
    let cursor: string | undefined;
    let requests = 0;
    do {
      const outcome = await change({ operation: 'abort', filter, limit: 2, cursor });
      seen.push(...outcome.results.map(({ id }) => id));
      cursor = outcome.next;
      requests += 1;
    } while (cursor !== undefined && requests < 10);
    expect(seen).toEqual(ids);
  });

  it('resubmits each job once, however often the request is repeated, and never the jobs that it has created', async () => {
    const ids = await makeJobs(3);
    const filter = { contractAction: 'write-nowhere', status: 'ERROR' };
    const body = { operation: 'abort-and-resubmit', filter, extIPID: 'outage 1', reason: 'again' };
    const first = await change({ ...body });
    const mine = first.results.filter(({ id }) => ids.includes(id));
    expect(mine.map(({ statusCode, status }) => [statusCode, status])).toEqual(ids.map(() => [201, 'ABORTED']));
    const created = mine.map(({ newId }) => newId ?? 0);
    for (const id of created) await site.manager.reaches(id, 'ERROR');
    // The filter matches the created jobs, too: they have failed again.
    const second = await change({ ...body });
    expect(second.results.filter(({ id }) => created.includes(id))).toEqual(
      created.map((id, place) => ({
        id,
        statusCode: 409,
        errorCode: 'job_transition_refused',
        message: `Job ${id} was created by this resubmission, of job ${ids[place]}`,
        status: 'ERROR',
      })),
    );
    const third = await change({ ...body, filter: { contractAction: 'write-nowhere' } });
    const repeated = third.results.filter(({ id }) => ids.includes(id));
    expect(repeated).toEqual(
      ids.map((id, place) => ({
        id,
        statusCode: 409,
        message: `Resubmitted as job ${created[place]}`,
        status: 'ABORTED',
        newId: created[place],
      })),
    );
    const { jobs } = await site.manager.jobs({ extIPID: 'outage 1', sort: '+id' });
    expect(jobs.map(({ id }) => id).filter((id) => created.includes(id))).toEqual(created);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(first.results.filter(({ newId }) => newId).length);
  });

  it('never aborts a completed job to resubmit it', async () => {
    const body = { contractName: 'invoices', actionName: 'write-report', actionVariables: { name: 'bulk-completed' } };
    const { id } = (await site.manager.submit(body)).json() as ShownJob;
    await site.manager.reaches(id, 'COMPLETED');
    const operation = 'abort-and-resubmit';
    const { results } = await change({ operation, filter: { id }, extIPID: 'outage 2' });
    expect(results).toMatchObject([{ id, statusCode: 409, errorCode: 'job_transition_refused' }]);
    const again = await change({ operation: 'resubmit', filter: { id }, extIPID: 'outage 2', dryRun: true });
    expect(again.results).toEqual([{ id, statusCode: 201, message: 'It would be resubmitted', status: 'COMPLETED' }]);
  });

  it('of two at once changes each job once', async () => {
    const ids = await makeJobs(10, 'suspended');
    const body = { operation: 'abort', filter: { queue: 'Closed', status: 'SUSPENDED' } };
    const [one, other] = await Promise.all([change(body), change(body)]);
    const changed = [...one.results, ...other.results].filter(({ statusCode }) => statusCode === 200);
    expect(changed.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
  });

  it('stops when its client disconnects, and every job is changed or not', async () => {
    const ids = await makeJobs(40, 'suspended');
    const leave = new AbortController();
    const sent = fetch(site.manager.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.manager.admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'abort', filter: { queue: 'Closed', status: 'SUSPENDED' }, dryRun: false }),
      signal: leave.signal,
    }).catch(() => {});
    await waitFor(async () => (await site.manager.job(ids[0] ?? 0)).status === 'ABORTED', { what: 'the first job' });
    leave.abort();
    await sent;
    const statuses = async () => (await Promise.all(ids.map((id) => site.manager.job(id)))).map(({ status }) => status);
    for (const status of await statuses()) expect(['ABORTED', 'SUSPENDED']).toContain(status);
    await change({ operation: 'abort', filter: { queue: 'Closed', status: 'SUSPENDED' } });
    expect(new Set(await statuses())).toEqual(new Set(['ABORTED']));
    for (const id of ids) {
      const { history } = await site.manager.job(id);
      expect(history?.filter(({ transition }) => transition === 'abort')).toHaveLength(1);
    }
  });

  it('refuses what it cannot do, and names the field', async () => {
    const good = { operation: 'abort', filter: { status: 'ERROR' }, dryRun: true };
    const refused: readonly [object, string][] = [
      [{ ...good, filter: {} }, 'filter'],
      [{ ...good, filter: { statuss: 'ERROR' } }, 'filter.statuss'],
      [{ ...good, filter: { statuss: 'ERROR', queue: 'a' } }, 'filter.statuss'],
      [{ ...good, extIpid: 'x' }, 'extIpid'],
      [{ ...good, reason: '  ' }, 'reason'],
      [{ ...good, filter: { status: 'DONE' } }, 'filter.status'],
      [{ ...good, filter: { id: 0 } }, 'filter.id'],
      [{ ...good, filter: { contract: 'x\0' } }, 'filter.contract'],
      [{ ...good, operation: 'delete' }, 'operation'],
      [{ ...good, dryRun: 'true' }, 'dryRun'],
      [{ operation: 'abort', filter: { status: 'ERROR' } }, 'dryRun'],
      [{ ...good, limit: 0 }, 'limit'],
      [{ ...good, limit: 1_001 }, 'limit'],
      [{ ...good, reason: 'x'.repeat(501) }, 'reason'],
      [{ ...good, revision: 'latest' }, 'revision'],
      [{ ...good, extIPID: 'x' }, 'extIPID'],
      [{ ...good, operation: 'resubmit', dryRun: false }, 'extIPID'],
      [{ ...good, operation: 'resubmit', extIPID: 'x'.repeat(65) }, 'extIPID'],
      [{ ...good, cursor: 'x' }, 'cursor'],
      [{ ...good, cursor: Buffer.from('[1]').toString('base64url') }, 'cursor'],
      [{ ...good, cursor: Buffer.from('[-1,1e99]').toString('base64url') }, 'cursor'],
      [{ ...good, cursor: 'x'.repeat(257) }, 'cursor'],
    ];
    for (const [body, field] of refused) {
      const response = await post(body);
      expect([response.status, JSON.stringify(body)]).toEqual([400, JSON.stringify(body)]);
      const { errors = [] } = response.json() as { errors?: { field: string }[] };
      expect(
        errors.map((error) => error.field),
        JSON.stringify(body),
      ).toContain(field);
    }
  });

  it('needs a role that may write SPENGCEMANJOBS, for a dry run too', async () => {
    const body = { operation: 'abort', filter: { status: 'ERROR' }, dryRun: true };
    expect((await post(body, site.manager.viewer)).status).toBe(403);
    expect((await site.manager.client.post(path, { json: body })).status).toBe(401);
  });
});
