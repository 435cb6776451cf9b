import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from '@waybill/bench-filebox/quantile';
import { makeContent, settleDisk } from './bench-disk.ts';
import type { Figure } from './figure.ts';
import type { BenchPlatform } from './open-bench-platform.ts';
import { runCurl } from './run-curl.ts';
import { startBenchServer } from './start-bench-server.ts';

/** The size and the number of transfers. */
export interface TransferOptions {
  readonly mebibytes: number;
  readonly rounds: number;
}

interface Way {
  readonly name: string;
  transfer(round: number): Promise<number>;
}

/**
 * One file uploaded, raw and as a form, and downloaded again, alternating with nginx; the first round warms up. Before
 * each transfer the disk has written everything back, so that none pays for the previous one.
 */
export async function measureTransfers(platform: BenchPlatform, options: TransferOptions): Promise<Figure[]> {
  const { mebibytes, rounds } = options;
  const source = await makeContent(join(platform.folder, 'content'), mebibytes);
  await using bare = await startBenchServer(
    new URL('bare-receiver.ts', import.meta.url),
    join(platform.folder, 'bare'),
  );
  const ways = waysOf(platform, source, bare.baseUrl);
  const seconds = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, transfer } of ways) {
      await settleDisk();
      const taken = await transfer(round);
      if (round > 0) seconds.get(name)?.push(taken);
    }
    await platform.forgetEvents();
  }
  await rm(source);
  const speed = (name: string): number => mebibytes / quantile(seconds.get(name) ?? [], 0.5);
  const compared = (what: string, ours: string, peer: string, limit?: number): Figure => ({
    name: what,
    ours: `${speed(ours).toFixed(0)} MiB/s`,
    peer: `${speed(peer).toFixed(0)} MiB/s`,
    value: speed(ours) / speed(peer),
    ...(limit !== undefined && { budget: { kind: 'at least', limit, unit: '×' } }),
  });
  return [
    compared(`PUT of ${mebibytes} MiB, the content itself`, 'put', 'nginx put', 1.5),
    compared(`PUT of ${mebibytes} MiB, as a form`, 'form', 'nginx put', 1.5),
    compared(`PUT of ${mebibytes} MiB, nginx with a sync`, 'put', 'nginx put, synced'),
    compared(`PUT of ${mebibytes} MiB, a bare Node server`, 'put', 'bare put'),
    compared(`GET of ${mebibytes} MiB`, 'get', 'nginx get', 0.7),
  ];
}

const octets = ['-H', 'Content-Type: application/octet-stream'];

async function timed(status: number, ...args: readonly string[]): Promise<number> {
  return (await runCurl(status, args)).seconds;
}

/** Ours first and nginx second, in each pair. Stored files are deleted unless the next way needs them. */
function waysOf({ service, nginx, folder }: BenchPlatform, source: string, bareUrl: string): readonly Way[] {
  const cookie = ['-H', `Cookie: ${service.cookie}`];
  const ours = `${service.baseUrl}/2.0/files/big`;
  const theirs = `${nginx.baseUrl}/big`;
  const remove = async () => {
    await runCurl(200, [...cookie, '-X', 'DELETE', '-o', '/dev/null', ours]);
    await runCurl(204, ['-X', 'DELETE', theirs]);
  };
  return [
    { name: 'put', transfer: () => timed(201, ...cookie, ...octets, '-o', '/dev/null', '-T', source, ours) },
    { name: 'bare put', transfer: () => timed(201, '-o', '/dev/null', '-T', source, `${bareUrl}/big`) },
    { name: 'nginx put', transfer: () => timed(201, '-o', '/dev/null', '-T', source, theirs) },
    { name: 'get', transfer: () => timed(200, ...cookie, '-o', '/dev/null', ours) },
    {
      name: 'nginx get',
      transfer: async () => {
        const taken = await timed(200, '-o', '/dev/null', theirs);
        await remove();
        return taken;
      },
    },
    {
      name: 'form',
      transfer: () => timed(201, ...cookie, '-o', '/dev/null', '-X', 'PUT', '-F', `file=@${source}`, ours),
    },
    {
      name: 'nginx put, synced',
      transfer: async () => {
        const startedAt = performance.now();
        await timed(201, '-o', '/dev/null', '-T', source, theirs);
        {
          await using stored = await open(join(folder, 'nginx', 'files', 'big'));
          await stored.sync();
        }
        const taken = (performance.now() - startedAt) / 1_000;
        await remove();
        return taken;
      },
    },
  ];
}
