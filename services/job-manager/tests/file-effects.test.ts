import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { firstOf } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createFileboxJobFiles } from '../src/adapters/workflows/filebox-job-files.ts';
import type { ClaimedJob } from '../src/domain/jobs/job-ledger.ts';
import { jobIn, openQueue } from './claimable.ts';
import { emptyJobs } from './empty-jobs.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await emptyJobs(platform.database);
  await query('DELETE FROM filebox.entries WHERE kind = $1', 'file');
  await query('DELETE FROM outbox.events');
});

const path = parseVirtualPath('/outbox/report.txt');
const query = (sql: string, ...values: unknown[]) => platform.database.query(sql, values);
const ledger = (owner: string) =>
  createKnexJobLedger({ db: platform.db, owner, leaseMs: 60_000, patienceMs: 600_000, site: testSite });
const claim = async (owner = 'first') => firstOf(await ledger(owner).claim([openQueue('q')], 1));

async function addJob(): Promise<void> {
  await createKnexJobRegister(platform.db, { site: testSite }).add({ ...jobIn('q'), vfsId: platform.vfsId });
}

/** A worker's hold of a new job, whose first step begins. */
async function claimNew(): Promise<ClaimedJob> {
  await addJob();
  const claimed = await claim();
  await ledger('first').beginStep(claimed.hold, { position: 0, name: 'write', task: 'write-file' });
  return claimed;
}

/** Another worker takes the job over, as if the lease of the first had expired. */
async function takeOver(): Promise<ClaimedJob> {
  await query('UPDATE jobs.active SET due_at = clock_timestamp()');
  return claim('second');
}

const filesOf = ({ job, hold }: ClaimedJob, attempt = 1) =>
  createFileboxJobFiles(
    { db: platform.db, filebox: platform.filebox, directory: openDirectory({ db: platform.db }), site: testSite },
    { job, hold, position: 0, attempt },
  );

/** Content during which something happens. */
async function* content(text: string, meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  yield Buffer.from(text.slice(0, 1));
  await meanwhile();
  yield Buffer.from(text.slice(1));
}

const textAt = async () => (await platform.read(path))?.toString();
const effects = () => query('SELECT position, name, fileset, result FROM jobs.effects');
const eventCount = async () => (await query('SELECT FROM outbox.events')).length;
const write = (claimed: ClaimedJob, text: string, meanwhile?: () => Promise<unknown>) =>
  filesOf(claimed).write(path, content(text, meanwhile), 'text/plain');

/** A transaction that holds a lock until it is told to let go. */
async function lockWith(sql: string, ...values: unknown[]) {
  const client = new pg.Client({ connectionString: platform.database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(sql, values);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
}

const untilWaiting = (count: number) =>
  waitFor(
    async () =>
      (await query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`))
        .length === count,
    { what: `${count} statements to wait for a lock` },
  );

describe('a file that a step writes', () => {
  it('is noted as the effect of the step, with what its task has returned', async () => {
    const claimed = await claimNew();
    const written = await write(claimed, 'text');
    expect(await effects()).toEqual([{ position: 0, name: path, fileset: written.fileset, result: written }]);
    expect(written).toMatchObject({ path, size: '4' });
    expect(await textAt()).toBe('text');
  });

  it('is audited as a file of its virtual file system', async () => {
    const claimed = await claimNew();
    await write(claimed, 'text');
    await filesOf(claimed).copy(path, parseVirtualPath('/outbox/copy.txt'));
    await filesOf(claimed).remove(path);
    expect(
      await query(
        `SELECT payload ->> 'auditOperation' AS operation, payload #>> '{context,virtualFileSystem}' AS vfs FROM outbox.events
         WHERE payload ->> 'entityType' = 'File' ORDER BY id`,
      ),
    ).toEqual(
      ['SERVER_UPLOAD_FILE', 'SERVER_UPLOAD_FILE', 'SERVER_DELETE_FILE'].map((operation) => ({
        operation,
        vfs: 'acme-files',
      })),
    );
  });

  it('is written once: a repeated attempt gets the first result', async () => {
    const first = await claimNew();
    const written = await write(first, 'text');
    const second = await takeOver();
    const files = filesOf(second, 2);
    expect(await files.written(path)).toEqual(written);
    // Even a task that does not ask writes nothing twice.
    const events = await eventCount();
    await expect(files.write(path, content('other'), 'text/plain')).rejects.toThrow(/effects/u);
    expect([await textAt(), (await effects()).length, await eventCount()]).toEqual(['text', 1, events]);
  });

  it('changes nothing if the lease is lost between the beginning of the write and its commit', async () => {
    await platform.deliver(path, Buffer.from('before'));
    const claimed = await claimNew();
    const events = await eventCount();
    await expect(write(claimed, 'late', takeOver)).rejects.toMatchObject({ name: 'Interruption', why: 'lost' });
    expect([await textAt(), await effects(), await eventCount()]).toEqual(['before', [], events]);
    expect(await query('SELECT FROM filebox.uploads')).toEqual([]);
  });

  it('changes nothing if the lease is lost while its commit waits for another; the job is not locked meanwhile', async () => {
    await platform.deliver(path, Buffer.from('before'));
    const claimed = await claimNew();
    const events = await eventCount();
    const release = await lockWith(`SELECT FROM filebox.entries WHERE name = 'report.txt' FOR UPDATE`);
    const written = write(claimed, 'late').catch((error: unknown) => error);
    await untilWaiting(1);
    expect(await ledger('first').renew([claimed.hold])).toEqual([claimed.hold]);
    await takeOver();
    await release();
    expect(await written).toMatchObject({ name: 'Interruption', why: 'lost' });
    expect([await textAt(), await effects(), await eventCount()]).toEqual(['before', [], events]);
  });

  it('is undone if its effect cannot be noted', async () => {
    await platform.deliver(path, Buffer.from('before'));
    const claimed = await claimNew();
    const events = await eventCount();
    await query(`ALTER TABLE jobs.effects ADD CONSTRAINT broken CHECK (name <> '/outbox/report.txt') NOT VALID`);
    try {
      await expect(write(claimed, 'late')).rejects.toThrow(/broken/u);
    } finally {
      await query('ALTER TABLE jobs.effects DROP CONSTRAINT broken');
    }
    expect([await textAt(), await effects(), await eventCount()]).toEqual(['before', [], events]);
  });

  it('is not noted if it is refused', async () => {
    const claimed = await claimNew();
    const gone = parseVirtualPath('/gone/report.txt');
    await platform.filebox.ensureFolders(platform.vfsId, [parseVirtualPath('/gone')]);
    const deleteFolder = () => query(`DELETE FROM filebox.entries WHERE name = 'gone'`);
    const written = filesOf(claimed).write(gone, content('text', deleteFolder), 'text/plain');
    await expect(written).rejects.toMatchObject({ name: 'CodedError' });
    expect(await effects()).toEqual([]);
  });

  it('is there before an abort that comes while it is committed: the abort waits', async () => {
    const claimed = await claimNew();
    // A note of the same effect keeps that of the worker waiting.
    const noting = `INSERT INTO jobs.effects VALUES ($1, 0, '/outbox/report.txt', 1, '{}')`;
    const release = await lockWith(noting, claimed.job.id);
    const written = write(claimed, 'text');
    await untilWaiting(1);
    const register = createKnexJobRegister(platform.db, { site: testSite });
    const aborted = register.move(claimed.job.id, 'abort', { by: 'admin', message: 'enough' });
    await untilWaiting(2);
    await release();
    expect(await written).toMatchObject({ size: '4' });
    await aborted;
    expect([await textAt(), (await effects()).length]).toEqual(['text', 1]);
    expect(await query('SELECT status FROM jobs.ended')).toEqual([{ status: 'ABORTED' }]);
  });
});
