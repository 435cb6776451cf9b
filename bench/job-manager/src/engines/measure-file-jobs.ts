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
const bench = cleanUp.use(await openFileJobs(folder, concurrency));
print(`${files} files of ${text.length} bytes, ${concurrency} at a time; files/s`);
// The first files compile code, and statements in each connection.
await filesAlone(bench, 'warm', 500);
await fileJobs(bench, 'warm', 500);
for (let round = 1; round <= rounds; round += 1) {
  const alone = await filesAlone(bench, `r${round}`, files);
  const jobs = await fileJobs(bench, `r${round}`, files);
  print(
    `round ${round}: filebox alone ${alone.toFixed(0)}, jobs ${jobs.toFixed(0)}, ratio ${(jobs / alone).toFixed(2)}`,
  );
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
  return count / ((performance.now() - startedAt) / 1_000);
}

async function fileJobs({ add, run }: FileJobs, name: string, count: number): Promise<number> {
  for (let index = 1; index <= count; index += 1) await add(`/job-${name}-${index}`, text);
  return count / ((await run()) / 1_000);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
