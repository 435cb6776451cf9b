import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;
let managers: readonly [TestJobManager, TestJobManager];

beforeAll(async () => {
  platform = await startTestPlatform();
  managers = [
    await startTestJobManager(platform, { ROLE: 'api', NODE_NAME: 'node1' }),
    await startTestJobManager(platform, { ROLE: 'api', NODE_NAME: 'node2' }),
  ];
});
afterAll(async () => {
  for (const manager of managers ?? []) await manager[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const body = { contractName: 'invoices', actionName: 'write-report', extIPID: 'rush' };

describe('a thousand identical submissions at once through two job managers', () => {
  it('create one job: one 201, 999 times 409 with the same body, and one run', async () => {
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => managers[index % 2 === 0 ? 0 : 1].submit(body)),
    );
    const bodies = (status: number) => responses.filter((one) => one.status === status).map((one) => one.json());
    expect([bodies(201).length, bodies(409).length]).toEqual([1, 999]);
    const [created] = bodies(201);
    // No worker has changed the job yet.
    for (const existing of bodies(409)) expect(existing).toEqual(created);
    const { id } = created as ShownJob;

    await using worker = await startTestJobManager(platform, { NODE_NAME: 'node3' });
    await worker.reaches(id, 'COMPLETED');
    const { history } = await worker.job(id);
    expect(history?.map(({ transition }) => transition)).toEqual(['submit', 'start', 'complete']);
    expect((await worker.jobs({ extIPID: 'rush' })).jobs).toHaveLength(1);
    const [row] = await platform.database.query(
      `SELECT (SELECT count(*)::int FROM jobs.jobs) AS jobs, (SELECT count(*)::int FROM jobs.effects) AS effects,
         (SELECT count(*)::int FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Job') AS audited`,
    );
    expect(row).toEqual({ jobs: 1, effects: 1, audited: 1 });
  }, 120_000);

  it('are answered 409 with the job as it is now, also when it has ended, and through either', async () => {
    for (const manager of managers) {
      const repeated = await manager.submit({ ...body, actionVariables: { name: 'ignored' } });
      expect(repeated.status).toBe(409);
      expect(repeated.json()).toMatchObject({ extIPID: 'rush', status: 'COMPLETED' });
    }
  });
});

it('different submissions at once through two job managers are one job each', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `different-${index}`);
  const responses = await Promise.all(
    managers.flatMap((manager, index) =>
      (index === 0 ? names : names.toReversed()).map(async (extIPID) => {
        const response = await manager.submit({ ...body, extIPID });
        return { extIPID, status: response.status, id: (response.json() as ShownJob).id };
      }),
    ),
  );
  for (const [name, answers] of Map.groupBy(responses, ({ extIPID }) => extIPID)) {
    expect(new Set(answers.map(({ status }) => status)), name).toEqual(new Set([201, 409]));
    expect(answers, name).toHaveLength(2);
    expect(new Set(answers.map(({ id }) => id)).size, name).toBe(1);
  }
}, 120_000);
