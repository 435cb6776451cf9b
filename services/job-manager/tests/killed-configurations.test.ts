import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AppliedPlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import { isPlanApplied } from '@waybill/directory/plans/is-plan-applied';
import { createHttpClient, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { oneConfiguredManager, prefix } from './configuration-requests.ts';
import { readSamples } from './read-samples.ts';
import { testProcesses } from './test-managers.ts';

const { site, post, planOf } = oneConfiguredManager();
const managers = testProcesses();
const count = 600;

/** More changes than the manager makes itself. */
const partners = () => ({
  source: 'team',
  actors: Array.from({ length: count }, (_, at) => ({
    name: `partner${at}`,
    type: 'Partner',
    virtualFileSystems: [{ name: `files${at}`, folders: ['/inbox'] }],
  })),
});

/** Where an apply stops: in its transaction, while PostgreSQL commits it, or after it, before the folders are created. */
const places = {
  before: 'CREATE TRIGGER held AFTER UPDATE ON directory.configuration_plans FOR EACH ROW',
  during:
    'CREATE CONSTRAINT TRIGGER held AFTER UPDATE ON directory.configuration_plans DEFERRABLE INITIALLY DEFERRED FOR EACH ROW',
  after: 'CREATE TRIGGER held BEFORE INSERT ON filebox.entries FOR EACH STATEMENT',
} as const;

let holder: pg.Client | undefined;

const query = (sql: string, ...values: unknown[]) => site.platform.database.query(sql, values);

const waiting = `FROM pg_locks WHERE locktype = 'advisory' AND objid = 4712 AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function hold(place: keyof typeof places): Promise<void> {
  await query(`CREATE OR REPLACE FUNCTION public.held_apply() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(4712); RETURN NEW; END'`);
  await query(`${places[place]} EXECUTE FUNCTION public.held_apply()`);
  holder = new pg.Client({ connectionString: site.platform.database.url });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(4712)');
}

const untilHeld = () =>
  waitFor(async () => (await query(`SELECT ${waiting}`)).length > 0, {
    what: 'the apply to be held',
    timeoutMs: 60_000,
  });

async function release(): Promise<void> {
  await holder?.end();
  holder = undefined;
}

afterEach(async () => {
  await release();
  for (const table of ['directory.configuration_plans', 'filebox.entries'])
    await query(`DROP TRIGGER IF EXISTS held ON ${table}`);
});

/** The process of the configuration that a process works at. */
function processOf(manager: number): number {
  const threads = readdirSync(`/proc/${manager}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${manager}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return Number(
    existing(children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('configuration-program'))),
  );
}

/** How many partners there are, and whether the plan is applied. */
async function stored(planId: string) {
  const [row] = await query(
    `SELECT (SELECT count(*)::int FROM directory.actors WHERE source = 'team') AS actors,
            (SELECT applied_at IS NOT NULL FROM directory.configuration_plans WHERE id = $1) AS applied`,
    planId,
  );
  return row;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : '');
}

/** Another manager, which begins to apply the plan, and holds. */
async function applying(planId: string, place: keyof typeof places): Promise<{ manager: ChildProcess; child: number }> {
  const port = await freePort();
  const manager = managers.start(site.platform, { ROLE: 'api', PORT: port, NODE_NAME: 'victim' });
  const client = createHttpClient(`http://127.0.0.1:${port}`);
  const isReady = async () => (await client.get('/health/ready').catch(() => undefined))?.status === 200;
  await waitFor(isReady, { what: 'the manager to be ready', timeoutMs: 60_000 });
  await hold(place);
  const request = { json: { planId }, bearer: site.manager.admin, timeoutMs: 120_000 };
  client.post(`${prefix}/configuration/apply`, request).catch(() => {});
  await untilHeld();
  return { manager, child: processOf(existing(manager.pid)) };
}

describe('a manager that ends while it applies a large configuration', () => {
  it.each([
    ['SIGKILL', 'before', 0],
    ['SIGTERM', 'before', 0],
    ['SIGKILL', 'after', count],
  ] as const)(
    'by %s, %s the commit, leaves no process and the whole of it or nothing',
    async (signal, place, actors) => {
      const { planId } = await planOf(partners());
      const { manager, child } = await applying(planId, place);
      const exit = once(manager, 'exit');
      manager.kill(signal);
      await exit;
      await waitFor(() => !existsSync(`/proc/${child}`), { what: 'the process to end', timeoutMs: 30_000 });
      await release();
      const isOver = async () => (await query(`SELECT ${waiting}`)).length === 0;
      await waitFor(isOver, { what: 'PostgreSQL to go on', timeoutMs: 30_000 });
      await expect.poll(() => stored(planId), { timeout: 30_000 }).toEqual({ actors, applied: actors > 0 });
      const again = await post('apply', { planId });
      expect([again.status, again.json()]).toEqual([200, expect.objectContaining({ isRepeated: actors > 0 })]);
      // Also those that the manager had not created any more.
      expect((again.json() as AppliedPlanView).foldersCreated).toHaveLength(count);
      expect(await stored(planId)).toEqual({ actors: count, applied: true });
    },
  );
});

describe('the process of an apply that dies', () => {
  const refusal = ({ status, ...answer }: HttpResponse) => {
    const { code, detail } = answer.json() as { code: string; detail: string };
    return [status, code, detail];
  };
  const outOfMemory = (what: string) => [
    413,
    'configuration_too_large',
    `${what}: it takes too much memory: its limit is 512 MiB (CONFIGURATION_HEAP_MEBIBYTES)`,
  ];
  const outcomes = () => readSamples(site.manager.client, 'waybill_configuration_processes_ended_total');

  async function answerOfKilled(
    place: keyof typeof places,
    meanwhile: (planId: string) => Promise<void>,
    document: object = partners(),
  ): Promise<[string, HttpResponse]> {
    const { planId } = await planOf(document);
    await hold(place);
    const answer = post('apply', { planId });
    await untilHeld();
    process.kill(processOf(process.pid), 'SIGKILL');
    await meanwhile(planId);
    return [planId, await answer];
  }

  /** Until the manager asks PostgreSQL what has become of the plan. */
  const untilAsked = () =>
    waitFor(
      async () =>
        (await query(`SELECT FROM pg_stat_activity WHERE query LIKE '%FOR SHARE%' AND wait_event_type = 'Lock'`))
          .length > 0,
      {
        what: 'the manager to ask',
      },
    );

  it('at the commit, before it could say so, has applied the plan, and the answer does not claim otherwise', async () => {
    const before = await outcomes();
    const [planId, answer] = await answerOfKilled('during', async () => {
      await untilAsked();
      await release();
    });
    expect(refusal(answer)).toEqual(outOfMemory('The plan is in force, but was not completed'));
    expect(await stored(planId)).toEqual({ actors: count, applied: true });
    const label = 'call="apply",outcome="out_of_memory"';
    expect((await outcomes())[label]).toBe((before[label] ?? 0) + 1);
    const started = await readSamples(site.manager.client, 'waybill_configuration_processes_started_total');
    expect(started['call="apply"']).toBeGreaterThan(0);
  });

  it('before the commit has applied nothing, and the answer says so', async () => {
    const [planId, answer] = await answerOfKilled('before', async (id) => {
      await untilAsked();
      // It does not wait for ever, and then does not know.
      await expect(isPlanApplied(site.platform.db, id, 50)).rejects.toMatchObject({ code: '55P03' });
      await release();
    });
    expect(refusal(answer)).toEqual(outOfMemory('The configuration was given up'));
    expect(await stored(planId)).toEqual({ actors: 0, applied: false });
  });

  it('before it has handed out the code for a first password leaves a user to whom an administrator issues another one', async () => {
    const document = { ...partners(), managerUsers: [{ name: 'lena', roles: ['Users'] }] };
    const [planId, answer] = await answerOfKilled('after', release, document);
    expect(refusal(answer)).toEqual(outOfMemory('The plan is in force, but was not completed'));
    const again = await post('apply', { planId });
    expect(again.json()).toMatchObject({ isRepeated: true, firstPasswords: [] });
    const { client, admin: bearer } = site.manager;
    const issued = await client.post(`${prefix}/manager-users/lena/first-password-code`, { bearer });
    expect([issued.status, issued.json()]).toEqual([201, expect.objectContaining({ userName: 'lena', hours: 24 })]);
    const { code } = issued.json() as { code: string };
    const json = { username: 'lena', code, newPassword: 'correct horse battery' };
    expect((await client.post(`${prefix}/auth/first-password`, { json })).status).toBe(204);
  });
});
