import { createHash, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Filebox } from '@waybill/filebox/filebox';
import { openBenchFilebox, origin, vfsId } from './open-bench-filebox.ts';
import { quantile } from './quantile.ts';

/*
 * One upload of 1 GiB in chunks of 256 KiB through the filebox (hashed, fsynced, renamed, committed with its events),
 * against a bare loop of write and SHA-256 with an fsync at the end. Both in turns; the ratio is that of the medians.
 */
const totalBytes = 1024 * 1024 * 1024;
const chunkBytes = 256 * 1024;
const inFlight = 8;
const rounds = 5;
const chunk = randomBytes(chunkBytes);

async function plain(path: string): Promise<void> {
  await using file = await open(path, 'wx');
  const hash = createHash('sha256');
  for (let offset = 0; offset < totalBytes; offset += chunkBytes) {
    await file.write(chunk, 0, chunkBytes, offset);
    hash.update(chunk);
  }
  await file.sync();
  hash.digest();
}

async function throughFilebox(filebox: Filebox, path: string): Promise<void> {
  const upload = await filebox.beginUpload(vfsId, parseVirtualPath(path), { origin, overwrite: true });
  const running: Promise<void>[] = [];
  for (let offset = 0; offset < totalBytes; offset += chunkBytes) {
    running.push(upload.write(chunk, offset));
    if (running.length === inFlight) await running.shift();
  }
  await Promise.all(running);
  await upload.commit();
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

await using bench = await openBenchFilebox();
const seconds = { plain: [] as number[], filebox: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  const file = join(bench.plainDir, 'plain');
  seconds.plain.push(await secondsOf(() => plain(file)));
  await rm(file);
  const path = `/upload-${round}`;
  seconds.filebox.push(await secondsOf(() => throughFilebox(bench.filebox, path)));
  await bench.filebox.deleteFile(vfsId, parseVirtualPath(path), { origin });
}
const speed = (values: readonly number[]): number => totalBytes / 1_048_576 / quantile(values, 0.5);
console.log(`plain write + sha256 + fsync   ${speed(seconds.plain).toFixed(0)} MiB/s`);
console.log(`filebox, committed             ${speed(seconds.filebox).toFixed(0)} MiB/s`);
console.log(`ratio                          ${(speed(seconds.filebox) / speed(seconds.plain)).toFixed(2)}`);
