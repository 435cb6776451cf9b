import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openFileJobs, type FileJobs } from './open-file-jobs.ts';

/*
 * Jobs that write one small file each, run by a worker of the job manager with its messages in Redis, against the same
 * files written through the filebox alone: in turns, on the same PostgreSQL with fsync and the same disk, by one process
 * of Node.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    /** Also counts the statements of each. */
    statements: { type: 'boolean', default: false },
  },
});
const [files, concurrency, rounds] = [values.files, values.concurrency, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const text = 'x'.repeat(4_096);

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
const bench = cleanUp.use(await openFileJobs({ folder, concurrency, countsStatements: values.statements }));
print(`${files} files of ${text.length} bytes, ${concurrency} at a time; files/s, and processor ms for one file`);
print('                   files/s    Node  PostgreSQL   Redis');
// The first files compile code, and statements in each connection.
await filesAlone(bench, 'warm', 500);
await addJobs(bench, 'warm', 500);
await bench.run();
for (let round = 1; round <= rounds; round += 1) {
  const alone = await measure('filebox alone', () => filesAlone(bench, `r${round}`, files));
  await addJobs(bench, `r${round}`, files);
  const jobs = await measure('jobs', () => bench.run());
  const [ofAlone = 0, ofJobs = 0] = [alone, jobs].map(({ ms }) => ms.reduce((sum, one) => sum + one, 0));
  print(
    `round ${round}: ratio of files/s ${(jobs.perSecond / alone.perSecond).toFixed(2)}, ` +
      `of processor time ${(ofAlone / ofJobs).toFixed(2)} (${ofAlone.toFixed(2)} and ${ofJobs.toFixed(2)} ms)`,
  );
}

/** Runs something that writes all files and resolves to the milliseconds that it took. */
async function measure(name: string, write: () => Promise<number>) {
  if (values.statements) await bench.forgetStatements();
  const before = await bench.processorSeconds();
  const perSecond = files / ((await write()) / 1_000);
  const after = await bench.processorSeconds();
  const ms = after.map((seconds, index) => ((seconds - (before[index] ?? 0)) * 1_000) / files);
  const [ofNode = '', ofPostgres = '', ofRedis = ''] = ms.map((spent) => spent.toFixed(2));
  print(
    `  ${name.padEnd(16)} ${perSecond.toFixed(0).padStart(7)} ${ofNode.padStart(7)} ${ofPostgres.padStart(11)} ${ofRedis.padStart(7)}`,
  );
  if (values.statements) {
    for (const { calls, ms: spent, query } of await bench.statements()) {
      const [perFile, msPerFile] = [calls / files, spent / files];
      if (perFile >= 0.01) print(`    ${perFile.toFixed(2)} a file, ${msPerFile.toFixed(3)} ms a file: ${query}`);
    }
  }
  return { perSecond, ms };
}

async function filesAlone({ filebox, vfsId, origin }: FileJobs, name: string, count: number): Promise<number> {
  const content = Buffer.from(text);
  const startedAt = performance.now();
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const path = parseVirtualPath(`/alone-${name}-${next}`);
      await using upload = await filebox.beginUpload(vfsId, path, { origin, overwrite: true, mediaType: 'text/plain' });
      await upload.write(content, 0);
      await upload.commit();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, write));
  return performance.now() - startedAt;
}

async function addJobs({ add }: FileJobs, name: string, count: number): Promise<void> {
  let next = 0;
  const addSome = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await add(`/job-${name}-${next}`, text);
    }
  };
  await Promise.all(Array.from({ length: 16 }, addSome));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
