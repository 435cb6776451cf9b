import { randomBytes } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './figure.ts';
import type { BenchPlatform } from './open-bench-platform.ts';
import { runCurl } from './run-curl.ts';

const sampleEveryMs = 20;

/** The service's memory while it accepts many uploads at once, above its memory after a few of them. */
export async function measureMemory(
  { service, folder, forgetEvents }: BenchPlatform,
  { uploads, mebibytes }: { uploads: number; mebibytes: number },
): Promise<Figure[]> {
  const source = join(folder, 'content');
  {
    await using file = await open(source, 'wx');
    for (let written = 0; written < mebibytes; written += 1) await file.write(randomBytes(1024 * 1024));
  }
  const cookie = ['-H', `Cookie: ${service.cookie}`, '-o', '/dev/null'];
  const octets = ['-H', 'Content-Type: application/octet-stream'];
  const address = (index: number): string => `${service.baseUrl}/2.0/files/memory-${index}`;
  const uploadAll = (count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, (_, index) => runCurl(201, [...cookie, ...octets, '-T', source, address(index)])),
    );
  await uploadAll(2);
  await sleep(2_000);
  const idle = await residentMebibytes(service.pid);
  let peak = idle;
  const sampling = setInterval(() => {
    void residentMebibytes(service.pid).then((now) => (peak = Math.max(peak, now)));
  }, sampleEveryMs);
  const startedAt = performance.now();
  await uploadAll(uploads);
  const seconds = (performance.now() - startedAt) / 1_000;
  clearInterval(sampling);
  for (let index = 0; index < uploads; index += 1) await runCurl(200, [...cookie, '-X', 'DELETE', address(index)]);
  await forgetEvents();
  await rm(source);
  return [
    {
      name: `memory under ${uploads} uploads of ${mebibytes} MiB`,
      ours: `${peak.toFixed(0)} MiB, idle ${idle.toFixed(0)} (${((uploads * mebibytes) / seconds).toFixed(0)} MiB/s)`,
      value: peak - idle,
      budget: { kind: 'at most', limit: 200, unit: 'MiB' },
    },
  ];
}

async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) / 1024;
}
