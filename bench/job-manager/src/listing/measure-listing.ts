import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { directorySchema } from '@waybill/directory/directory-schema';
import { listJobs } from '@waybill/job-manager/adapters/jobs/list-jobs';
import type { JobCursor, JobQuery, JobSortField } from '@waybill/job-manager/domain/jobs/job-query';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { fillJobs } from './fill-jobs.ts';
import { createdAt, filterCases, sortCases } from './listing-cases.ts';
import { measureInserts } from './measure-inserts.ts';

/** How often each page is read, after a first time that warms the caches. */
const times = 40;

/** Settings that make filling quick; they do not change how a page is read. */
const settings = {
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  shared_buffers: '2GB',
};

/**
 * Fills a PostgreSQL of its own with jobs, and measures pages of 100: each filter alone, and each order. Prints
 * milliseconds from the call of the store to the jobs in memory.
 */
async function measureListing(count: number, print: (line: string) => void): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const fillsAt = performance.now();
  const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres'), settings });
  cleanUp.defer(() => postgres.stop());
  const db = connectPostgres({ url: postgres.url('waybill'), applicationName: 'bench', statementTimeoutMs: 600_000 });
  cleanUp.defer(() => db.destroy());
  for (const schema of [directorySchema, outboxSchema, jobsSchema]) await migrate(db, schema);
  await fillJobs(db, count);
  const seconds = ((performance.now() - fillsAt) / 1_000).toFixed(0);
  print(`${count} jobs in ranges of a million, filled in ${seconds} s; pages of 100, read ${times} times each`);
  await measureListingIn(db, count, print);
  await measureInserts({ db, pid: postgres.pid }, print);
}

/** Measures in a database that `fillJobs` has filled. */
async function measureListingIn(db: Database, count: number, print: (line: string) => void): Promise<void> {
  const cursors = await cursorsInTheMiddle(db, count);
  print('page                                       jobs  p50 ms  p95 ms');
  let slowest = 0;
  for (const { name, query } of [...filterCases(count), ...sortCases(cursors)]) {
    const { jobs, p50, p95 } = await measure(db, query);
    slowest = Math.max(slowest, p95);
    print(`${name.padEnd(42)} ${String(jobs).padStart(4)} ${p50.toFixed(1).padStart(7)} ${p95.toFixed(1).padStart(7)}`);
  }
  print(`slowest p95: ${slowest.toFixed(1)} ms`);
}

async function measure(db: Database, query: JobQuery): Promise<{ jobs: number; p50: number; p95: number }> {
  const { jobs } = await listJobs(db, query);
  const spent: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    await listJobs(db, query);
    spent.push(performance.now() - startedAt);
  }
  const sorted = spent.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { jobs: jobs.length, p50: at(0.5), p95: at(0.95) };
}

/** For each order, a job in the middle of the numbers. */
async function cursorsInTheMiddle(db: Database, count: number): Promise<Record<JobSortField, JobCursor>> {
  const id = Math.floor(count / 2) + 1;
  const { jobs } = await listJobs(db, { filters: { id }, sort: { field: 'id', descending: true }, limit: 1 });
  const [job] = jobs;
  if (!job) throw new Error(`There is no job ${id}`);
  const at = (value: string | number): JobCursor => ({ value: String(value), id });
  return {
    id: at(id),
    status: at(job.status),
    queue: at(job.queue),
    contract: at(job.contract),
    workflowTemplateId: at(job.workflow.templateId),
    workflowTemplateName: at(job.workflow.templateName),
    workflowTemplateRevision: at(job.workflow.templateRevision),
    submittedBy: at(job.submittedBy),
    createdAt: at(createdAt(id).toISOString()),
    updatedAt: at(job.updatedAt.toISOString()),
  };
}

const [count = '5000000'] = process.argv.slice(2);
await measureListing(Number(count), (line) => void process.stdout.write(`${line}\n`));
