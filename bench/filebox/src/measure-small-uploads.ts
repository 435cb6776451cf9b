import { createHash, randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openBenchFilebox, origin, vfsId } from './open-bench-filebox.ts';

/*
 * Files of 4 KiB, one after the other and 16 at a time, through the filebox (two fsyncs, one statement and one
 * transaction with its events each) against the same two fsyncs and a rename without an index.
 */
const files = 1_000;
const content = randomBytes(4_096);

await using bench = await openBenchFilebox();

async function plain(name: string): Promise<void> {
  const path = join(bench.plainDir, name);
  {
    await using file = await open(`${path}.part`, 'wx');
    await file.write(content, 0, content.length, 0);
    createHash('sha256').update(content).digest();
    await file.sync();
  }
  await rename(`${path}.part`, path);
  await using folder = await open(bench.plainDir);
  await folder.sync();
}

async function throughFilebox(name: string): Promise<void> {
  const upload = await bench.filebox.beginUpload(vfsId, parseVirtualPath(`/${name}`), { origin, overwrite: true });
  await upload.write(content, 0);
  await upload.commit();
}

async function filesPerSecond(concurrency: number, store: (name: string) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (; next < files;) {
      next += 1;
      await store(`${store.name}-${concurrency}-${next}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return files / ((performance.now() - startedAt) / 1_000);
}

for (const concurrency of [1, 16]) {
  const bare = await filesPerSecond(concurrency, plain);
  const stored = await filesPerSecond(concurrency, throughFilebox);
  console.log(
    `${concurrency} at a time: plain ${bare.toFixed(0)}/s, filebox ${stored.toFixed(0)}/s, ratio ${(stored / bare).toFixed(2)}`,
  );
}
