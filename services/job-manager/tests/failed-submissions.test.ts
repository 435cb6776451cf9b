import { Writable } from 'node:stream';
import { fileEventSchema } from '@waybill/contracts/messages/file-event';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvents } from '../src/events.ts';
import { createFileEventProcessor } from '../src/triggers/file-event-processor.ts';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

const lines: Record<string, unknown>[] = [];
const destination = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
    done();
  },
});
const logger = createLogger({ service: 'test', level: 'info', destination });

let platform: TestPlatform;
let manager: TestJobManager;

beforeAll(async () => {
  platform = await startTestPlatform();
  manager = await startTestJobManager({ ...platform, logger }, { ROLE: 'api' });
  // Refuses the commit, after all statements have succeeded.
  await platform.database.query(
    `CREATE FUNCTION jobs.refuse_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'refused at the commit' USING ERRCODE = NEW.variables ->> 'refused'; END $$`,
  );
  await platform.database.query(
    `CREATE CONSTRAINT TRIGGER refuse_commit AFTER INSERT ON jobs.jobs DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (NEW.variables ? 'refused') EXECUTE FUNCTION jobs.refuse_commit()`,
  );
});
afterAll(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const body = { contractName: 'invoices', actionName: 'write-report' };

/** Whatever tells of jobs that were created. */
async function traces() {
  const { text } = await manager.client.get('/metrics');
  const counted = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'gmu'))].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
  const [{ jobs, audited } = {}] = await platform.database.query(
    `SELECT (SELECT count(*)::int FROM jobs.jobs) AS jobs,
       (SELECT count(*)::int FROM outbox.events WHERE payload ->> 'auditCode' = 'AUD0020A') AS audited`,
  );
  return {
    logged: lines.filter(({ msg }) => msg === 'job submitted').length,
    submitted: counted('waybill_jobs_submitted_total'),
    jobs,
    audited,
  };
}

describe('a submission whose commit fails', () => {
  it.each(['23514', 'P0001', '40001'])('with %s leaves no log line, metric, audit record or job', async (code) => {
    const before = await traces();
    const response = await manager.submit({
      ...body,
      actionVariables: { refused: code },
      extIPID: `refused-${code}`,
    });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('refused at the commit');
    expect(await traces()).toEqual(before);
    const repeated = await manager.submit({ ...body, extIPID: `refused-${code}` });
    expect(repeated.status).toBe(201);
    expect(await traces()).toMatchObject({ logged: before.logged + 1, submitted: before.submitted + 1 });
  });

  it('does not harm those that are committed with it', async () => {
    const before = await traces();
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        manager.submit({
          ...body,
          actionVariables: index % 20 === 7 ? { refused: '23514' } : {},
          extIPID: `n-${index}`,
        }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toEqual(statuses.map((_, index) => (index % 20 === 7 ? 500 : 201)));
    const ids = responses.flatMap((response) => (response.status === 201 ? [(response.json() as ShownJob).id] : []));
    expect(new Set(ids).size).toBe(57);
    const { logged, submitted, jobs, audited } = await traces();
    expect([logged - before.logged, submitted - before.submitted]).toEqual([57, 57]);
    expect([Number(jobs) - Number(before.jobs), Number(audited) - Number(before.audited)]).toEqual([57, 57]);
  });
});

describe('a file event whose transaction is rolled back', () => {
  it('leaves no log line, message or job', async () => {
    const before = await traces();
    let told = 0;
    const events = createEvents(logger, createMetrics('test'));
    const process = createFileEventProcessor({ events, site: testSite, onReady: () => void (told += 1) });
    const payload = fileEventSchema.parse({
      kind: 'stored',
      occurredAt: new Date().toISOString(),
      vfsId: platform.vfsId,
      path: '/inbox/rolled-back.csv',
      fileset: '1',
      size: '1',
      userName: 'acme',
      byTransfer: true,
      dfic: { dfiid: 'd', lcid: 'l', userAttrs: {} },
    });
    const event = { id: '01890a5d-ac96-774b-bcce-b302099a8057', createdAt: new Date(), payload };
    let started = 0;
    const attempt = platform.db.transaction(async (trx) => {
      await process(trx, [event]);
      const { rows } = await trx.raw<{ rows: { jobs: number }[] }>('SELECT count(*)::int AS jobs FROM jobs.jobs');
      started = Number(rows[0]?.jobs) - Number(before.jobs);
      throw new Error('rolled back');
    });
    await expect(attempt).rejects.toThrow('rolled back');
    expect(started).toBe(1);
    expect(told).toBe(0);
    expect(await traces()).toEqual(before);
  });
});
