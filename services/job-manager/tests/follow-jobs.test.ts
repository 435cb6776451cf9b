import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

interface ReceivedEvent {
  readonly id: number;
  readonly event: string;
  readonly data: { id?: number; status?: string; from?: string | null; [name: string]: unknown };
}

interface Follower extends AsyncDisposable {
  readonly received: ReceivedEvent[];
  hasEnded(): boolean;
  /** Statuses of one job, in the order in which they were received. */
  statusesOf(id: number): (string | undefined)[];
}

const path = '/job-manager/jobs/events';

/** Follows jobs, like `curl -N`. */
async function follow(manager: TestJobManager, query = '', headers: Record<string, string> = {}): Promise<Follower> {
  const stop = new AbortController();
  const response = await fetch(`${manager.url}${path}${query}`, {
    headers: { authorization: `Bearer ${manager.viewer}`, ...headers },
    signal: stop.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const received: ReceivedEvent[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      received.push(...blocks.flatMap(parseEvent));
    }
  };
  const ended = read()
    .catch(() => {})
    .finally(() => (isOver = true));
  await waitFor(() => received.length > 0, { what: 'the first event' });
  return {
    received,
    hasEnded: () => isOver,
    statusesOf: (id) => received.filter(({ data }) => data.id === id).map(({ data }) => data.status),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

function parseEvent(block: string): ReceivedEvent[] {
  const [, id, event, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/u.exec(block) ?? [];
  if (id === undefined || event === undefined || data === undefined) return [];
  return [{ id: Number(id), event, data: JSON.parse(data) as ReceivedEvent['data'] }];
}

const submit = async (actionName: string, contractName = 'invoices'): Promise<number> =>
  ((await site.manager.submit({ contractName, actionName, actionVariables: { name: 'followed' } })).json() as ShownJob)
    .id;

/** The streams that are open in a process, by its metric. */
const openStreams = async (manager: TestJobManager): Promise<number> =>
  Number(/^waybill_job_event_streams\{[^}]*\} (\d+)$/mu.exec((await manager.client.get('/metrics')).text)?.[1]);

describe('GET /job-manager/jobs/events', () => {
  it('sends every change of a status, through every process', async () => {
    await using other = await startTestJobManager(site.platform, { NODE_NAME: 'node2', ROLE: 'api' });
    await using here = await follow(site.manager);
    await using there = await follow(other);
    const id = await submit('write-report');
    for (const follower of [here, there]) {
      await waitFor(() => follower.statusesOf(id).includes('COMPLETED'), { what: 'the end of the job' });
      expect(follower.received[0]).toMatchObject({ event: 'ready' });
      expect(follower.received.filter(({ data }) => data.id === id).map(({ event, data }) => [event, data])).toEqual(
        [
          [null, 'SUBMITTED', 'submit'],
          ['SUBMITTED', 'RUNNING', 'start'],
          ['RUNNING', 'COMPLETED', 'complete'],
        ].map(([from, status, transition]) => [
          'change',
          {
            id,
            from,
            status,
            transition,
            at: expect.stringMatching(/^\d{4}-.*Z$/u),
            queue: 'Default Queue',
            contract: 'invoices',
            action: 'write-report',
          },
        ]),
      );
    }
  });

  it('sends the changes that match its filters', async () => {
    await using errors = await follow(site.manager, '?status=ERROR&contract=invoices&queue=Default+Queue');
    await using closed = await follow(site.manager, '?queue=Closed');
    const failing = await submit('write-nowhere');
    const suspended = await submit('write-report', 'closed');
    await waitFor(() => errors.statusesOf(failing).length > 0, { what: 'the failure' });
    await waitFor(() => closed.statusesOf(suspended).includes('SUSPENDED'), { what: 'the suspension' });
    expect(errors.statusesOf(failing)).toEqual(['ERROR']);
    expect(errors.statusesOf(suspended)).toEqual([]);
    expect(closed.statusesOf(failing)).toEqual([]);
  });

  it('goes on after the last event that a client knows, without a gap, in another process too', async () => {
    await using other = await startTestJobManager(site.platform, { NODE_NAME: 'node2', ROLE: 'api' });
    let last: number;
    const jobs: number[] = [];
    {
      await using follower = await follow(site.manager);
      jobs.push(await submit('write-report'));
      await waitFor(() => follower.statusesOf(jobs[0] ?? 0).includes('RUNNING'), { what: 'the start of the job' });
      last = follower.received.find(({ data }) => data.id === jobs[0] && data.status === 'RUNNING')?.id ?? 0;
    }
    for (let more = 0; more < 5; more += 1) jobs.push(await submit('write-report'));
    for (const id of jobs) await site.manager.reaches(id, 'COMPLETED');
    await using again = await follow(other, '', { 'last-event-id': String(last) });
    await waitFor(() => again.statusesOf(jobs.at(-1) ?? 0).includes('COMPLETED'), { what: 'the last job' });
    expect(again.received[0]).toMatchObject({ event: 'ready', id: last });
    expect(again.statusesOf(jobs[0] ?? 0)).toEqual(['COMPLETED']);
    for (const id of jobs.slice(1)) expect(again.statusesOf(id)).toEqual(['SUBMITTED', 'RUNNING', 'COMPLETED']);
  });

  it('waits for a change whose transaction commits after a later one', async () => {
    await using follower = await follow(site.manager, '?contract=invoices');
    const id = await submit('write-report');
    await site.manager.reaches(id, 'COMPLETED');
    await waitFor(() => follower.statusesOf(id).length === 3, { what: 'the changes of the job' });
    const { db } = site.platform;
    const slow = await db.transaction();
    const insert = (on: typeof db, message: string) =>
      on.raw(
        `INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
         VALUES (?, 'COMPLETED', ?, 'complete', 'test', '')`,
        [id, message],
      );
    await insert(slow, 'ABORTED');
    await insert(db, 'ERROR');
    await slow.commit();
    await waitFor(() => follower.statusesOf(id).length === 5, { what: 'both changes' });
    expect(follower.statusesOf(id).slice(3)).toEqual(['ABORTED', 'ERROR']);
  });

  it('is not held up by a transaction that does not end, whose change follows late', async () => {
    await using follower = await follow(site.manager);
    const { db } = site.platform;
    const id = await submit('write-report');
    await waitFor(() => follower.statusesOf(id).includes('COMPLETED'), { what: 'the job' });
    const slow = await db.transaction();
    await slow.raw(
      `INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
       VALUES (?, 'COMPLETED', 'ABORTED', 'complete', 'test', '')`,
      [id],
    );
    const behind = await submit('write-report');
    await waitFor(() => follower.statusesOf(behind).includes('COMPLETED'), { what: 'what is behind it' });
    expect(follower.statusesOf(id)).not.toContain('ABORTED');
    await slow.commit();
    await waitFor(() => follower.statusesOf(id).includes('ABORTED'), { what: 'the late change' });
  });

  it('reads the history while it has a follower, and not otherwise', async () => {
    await waitFor(async () => (await openStreams(site.manager)) === 0, { what: 'every stream to end' });
    // A connection reports its statistics within a second of its last statement.
    const scans = async (): Promise<number> => {
      const [row] = await site.platform.database.query(
        `SELECT coalesce(sum(idx_scan), 0)::int AS scans FROM pg_stat_user_indexes WHERE relname LIKE 'history%'`,
      );
      return Number(row?.['scans']);
    };
    {
      await using follower = await follow(site.manager);
      expect(follower.received).toHaveLength(1);
      expect(await openStreams(site.manager)).toBe(1);
      const before = await scans();
      await waitFor(async () => (await scans()) > before + 2, { what: 'the history to be read' });
    }
    await waitFor(async () => (await openStreams(site.manager)) === 0, { what: 'the stream to end' });
    await waitFor(
      async () => {
        const before = await scans();
        // Nothing is to happen here.
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return (await scans()) === before;
      },
      { what: 'the reading to stop', timeoutMs: 20_000 },
    );
  });

  it('limits the streams of a user, and gives the place of one that has ended to another', async () => {
    const followers: Follower[] = [];
    for (let count = 0; count < 10; count += 1) followers.push(await follow(site.manager));
    const refused = await site.manager.client.get(path, { bearer: site.manager.viewer });
    expect(refused.json()).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(refused.headers.get('retry-after')).toBe('30');
    await followers.pop()?.[Symbol.asyncDispose]();
    await waitFor(async () => (await openStreams(site.manager)) === 9, { what: 'the stream to end' });
    followers.push(await follow(site.manager));
    for (const follower of followers) await follower[Symbol.asyncDispose]();
  });

  it('ends when the service stops', async () => {
    const other = await startTestJobManager(site.platform, { NODE_NAME: 'node2', ROLE: 'api' });
    await using follower = await follow(other);
    await other[Symbol.asyncDispose]();
    await waitFor(() => follower.hasEnded(), { what: 'the stream to end' });
  });

  it('refuses what it cannot do', async () => {
    const get = (query: string, headers = {}) =>
      site.manager.client.get(path + query, { bearer: site.manager.viewer, headers });
    for (const query of ['?status=DONE', '?queue=%00', '?contracts=x', '?status=ERROR&status=RUNNING']) {
      expect((await get(query)).status, query).toBe(400);
    }
    for (const id of ['x', '-1', '1.5', '9'.repeat(16)]) {
      expect((await get('', { 'last-event-id': id })).status, id).toBe(400);
    }
    expect((await site.manager.client.get(path)).status).toBe(401);
    expect((await site.manager.client.get(path, { bearer: 'forged' })).status).toBe(401);
  });
});
