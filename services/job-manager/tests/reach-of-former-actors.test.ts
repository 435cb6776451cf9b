import { problemSchema } from '@waybill/contracts/errors/problem';
import { existing } from '@waybill/test-kit/values/existing';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const api = '/platform-application/api/v1';
const password = 'a-password-of-the-tests';
const job = z.object({ id: z.int() });

const workflows = {
  note: [{ name: 'note', uses: 'log', with: { message: 'a note' } }],
  ask: [{ name: 'ask', uses: 'wait-for-approval', with: { message: 'Go on?', approvers: ['hal'] } }],
};
const hooli = {
  name: 'hooli',
  type: 'Partner',
  contracts: [
    {
      name: 'hooli-jobs',
      type: 'Mediation',
      actions: Object.keys(workflows).map((name) => ({ name, workflow: name, trigger: { type: 'OnDemand' } })),
    },
  ],
};

const apply = (actors: readonly object[]) =>
  site.platform.apply({
    ...testConfiguration,
    roles: [
      {
        name: 'Team of hooli',
        permissions: ['jobs:*', 'approvals:run'],
        actors: [actors.length > 0 ? 'hooli' : 'acme'],
      },
    ],
    managerUsers: [...testConfiguration.managerUsers, { name: 'hal', password, roles: ['Team of hooli'] }],
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      ...Object.entries(workflows).map(([name, steps]) => ({ name, steps })),
    ],
    actors: [...testConfiguration.actors, ...actors],
  });

const ascending = (one: number, other: number): number => one - other;

let hal: string;

async function submit(actionName: keyof typeof workflows, extIPID?: string): Promise<number> {
  const response = await site.manager.submit({ contractName: 'hooli-jobs', actionName, extIPID }, hal);
  const { id } = job.parse(response.json());
  await site.manager.reaches(id, actionName === 'note' ? 'COMPLETED' : 'SUSPENDED');
  return id;
}

/** What a request of this user gives. */
async function ask(path: string, { method = 'GET', json }: { method?: 'GET' | 'POST'; json?: object } = {}) {
  const response = await site.manager.client.request(method, `/job-manager/${path}`, {
    bearer: hal,
    ...(json && { json }),
  });
  return { status: response.status, body: response.json() };
}

const idsOf = z.object({ jobs: z.array(job) }).transform(({ jobs }) => jobs.map(({ id }) => id));
const listed = async (query = ''): Promise<number[]> => idsOf.parse((await ask(`jobs${query}`)).body);
const approvals = async (): Promise<number[]> =>
  z
    .object({ approvals: z.array(z.object({ job: z.int() })) })
    .parse((await ask('approvals')).body)
    .approvals.map((one) => one.job);
const deliveries = async (): Promise<number[]> =>
  z
    .object({ deliveries: z.array(z.object({ job: z.int() })) })
    .parse((await ask('webhook-deliveries')).body)
    .deliveries.map((one) => one.job);
const results = async (operation: string): Promise<number[]> =>
  z
    .object({ results: z.array(job) })
    .parse(
      (
        await ask('jobs/bulk', {
          method: 'POST',
          json: { operation, filter: { contract: 'hooli-jobs' }, dryRun: true },
        })
      ).body,
    )
    .results.map(({ id }) => id);

const former = { note: 0, asking: 0, unnumbered: 0, ordered: 0 };
let delivery: number;

// An actor is deleted with its jobs kept, and another one gets its name, and a contract of the same name.
beforeAll(async () => {
  await apply([hooli]);
  const login = await site.manager.client.post(`${api}/auth/login`, { json: { username: 'hal', password } });
  hal = z.object({ accessToken: z.string() }).parse(login.json()).accessToken;
  former.note = await submit('note');
  former.asking = await submit('ask');
  former.unnumbered = await submit('ask');
  former.ordered = await submit('note', 'order-1');
  const { database } = site.platform;
  // As a release before the numbers of actors has left it.
  await database.query(`UPDATE jobs.jobs SET actor_id = NULL WHERE id = ${former.unnumbered}`);
  const [row] = await database.query(
    `INSERT INTO jobs.webhook_deliveries (id, job_id, step, attempt, connection, webhook_id, begun_at, duration_ms, status)
     VALUES (nextval('jobs.webhook_delivery_ids'), ${former.note}, 'note', 1, 'hooks', 'w', now(), 1, 204) RETURNING id`,
  );
  delivery = Number(existing(row)['id']);
});

describe('a role that is limited to an actor', () => {
  it('reaches the jobs of the actor, also those without its number', async () => {
    const all = Object.values(former);
    expect((await listed()).toSorted(ascending)).toEqual(all);
    expect(await approvals()).toEqual([former.asking, former.unnumbered]);
    expect(await deliveries()).toEqual([former.note]);
    expect((await results('resubmit')).toSorted(ascending)).toEqual(all);
    for (const id of all) expect((await ask(`jobs/${id}`)).status).toBe(200);
    expect((await ask(`webhook-deliveries/${delivery}`)).status).toBe(200);
  });

  describe('when the actor was deleted, and another one has its name', () => {
    beforeAll(async () => {
      await apply([]);
      await apply([hooli]);
    });

    it('finds none of the former jobs, in no list, by no filter, and changes none', async () => {
      const some = '?status=SUSPENDED&sort=-updatedAt';
      for (const query of ['', some, `?id=${former.note}`, '?actor=hooli', '?actorPart=hool', '?sort=-createdAt'])
        expect([query, await listed(query)]).toEqual([query, []]);
      expect(await approvals()).toEqual([]);
      expect(await deliveries()).toEqual([]);
      for (const operation of ['abort', 'resume', 'resubmit', 'abort-and-resubmit'])
        expect(await results(operation)).toEqual([]);
    });

    it('learns of a single job no more than of one that does not exist', async () => {
      for (const id of Object.values(former))
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/history'],
          ['POST', '/abort'],
          ['POST', '/resume'],
          ['POST', '/resubmit'],
          ['POST', '/approve'],
          ['POST', '/reject'],
        ] as const) {
          const { status, body } = await ask(`jobs/${id}${path}`, { method });
          expect([path, status, problemSchema.parse(body).code]).toEqual([path, 404, 'job_unknown']);
        }
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/replay'],
      ] as const) {
        const { status, body } = await ask(`webhook-deliveries/${delivery}${path}`, { method });
        expect([status, problemSchema.parse(body).code]).toEqual([404, 'webhook_delivery_unknown']);
      }
      const expected = Object.values(former).map((id) => ({ id, status: 'SUSPENDED' }));
      const json = { operation: 'abort', filter: { contract: 'hooli-jobs' }, dryRun: false, expected };
      expect(await ask('jobs/bulk', { method: 'POST', json })).toMatchObject({ status: 200, body: { results: [] } });
      expect(await site.manager.reaches(former.asking, 'SUSPENDED')).toMatchObject({ id: former.asking });
    });

    it('reaches the jobs of the other one, also by an identifier of a former one, while everybody else sees all', async () => {
      const own = [await submit('note', 'order-1'), await submit('ask')];
      expect(own[0]).not.toBe(former.ordered);
      expect((await listed()).toSorted(ascending)).toEqual(own);
      expect(await approvals()).toEqual([own[1]]);
      expect((await results('resubmit')).toSorted(ascending)).toEqual(own);
      // One that a worker of a former release has made since.
      await site.platform.database.query(`UPDATE jobs.jobs SET actor_id = NULL WHERE id = ${own[1]}`);
      expect((await listed('?sort=-id')).toSorted(ascending)).toEqual(own);
      expect((await ask(`jobs/${own[1]}/history`)).status).toBe(200);
      const { admin } = site.manager;
      const all = await site.manager.client.get('/job-manager/jobs', { bearer: admin, query: { actor: 'hooli' } });
      expect(idsOf.parse(all.json()).toSorted(ascending)).toEqual([...Object.values(former), ...own]);
      expect((await ask(`jobs/${own[1]}/approve`, { method: 'POST' })).status).toBe(200);
    });

    it('is not given the former job of an identifier when the contract is gone', async () => {
      await apply([{ name: 'hooli', type: 'Partner' }]);
      const json = { contractName: 'hooli-jobs', actionName: 'note', extIPID: 'order-1' };
      await expect
        .poll(async () => problemSchema.parse((await site.manager.submit(json, hal)).json()).code)
        .toBe('contract_unknown');
    });
  });
});
