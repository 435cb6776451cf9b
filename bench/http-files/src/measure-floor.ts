import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quantile } from '@waybill/bench-filebox/quantile';
import { createBlockMemory } from '@waybill/filebox/block-lease';
import type { Figure } from './figure.ts';
import { makeContent } from './make-content.ts';
import type { TransferOptions } from './measure-transfers.ts';
import type { BenchPlatform } from './open-bench-platform.ts';
import { runCurl } from './run-curl.ts';
import { settleDisk } from './settle-disk.ts';
import { startBenchServer } from './start-bench-server.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

/**
 * The processor seconds that a PUT cannot do without on one machine with its client, each measured alone and with nothing
 * in its way, against what nginx needs for one. What the kernel does elsewhere, such as writing down, is not counted.
 */
export async function measureFloor(platform: BenchPlatform, { mebibytes, rounds }: TransferOptions): Promise<Figure[]> {
  const { folder, nginx } = platform;
  const source = await makeContent(join(folder, 'content'), mebibytes);
  await using sink = await startBenchServer(new URL('bare-sink.ts', import.meta.url), join(folder, 'sink'));
  const seconds: Record<string, number[]> = {};
  const note = (name: string, value: number): void => void (seconds[name] ??= []).push(value);
  for (let round = 0; round <= rounds; round += 1) {
    const keep: typeof note = round === 0 ? () => {} : note;
    await settleDisk();
    const { client, server } = await send(source, `${sink.baseUrl}/big`);
    keep('client', client);
    keep('receive', server);
    keep('hash', await hashing(mebibytes));
    keep('buffered', await writing(join(folder, 'written'), mebibytes, 0));
    keep('direct', await writing(join(folder, 'written'), mebibytes, constants.O_DIRECT));
    await settleDisk();
    keep('nginx', (await runCurl(201, ['-o', '/dev/null', '-T', source, `${nginx.baseUrl}/big`])).seconds);
    await runCurl(204, ['-X', 'DELETE', `${nginx.baseUrl}/big`]);
  }
  await rm(source);
  const median = (name: string): number => quantile(seconds[name] ?? [], 0.5);
  const write = Math.min(median('buffered'), median('direct'));
  const sum = median('client') + median('receive') + median('hash') + write;
  const cores = cpus().length;
  const figure = (name: string, value: number, peer?: number): Figure => {
    const of = (figureOf: number): string => `${figureOf.toFixed(2)} s`;
    return { name, ours: of(value), value: peer === undefined ? value : peer / value, ...(peer && { peer: of(peer) }) };
  };
  return [
    figure('processor: curl sends', median('client')),
    figure('processor: receive into memory that is used again', median('receive')),
    figure('processor: SHA-256', median('hash')),
    figure('processor: write and sync, by the page cache', median('buffered')),
    figure('processor: write and sync, past it', median('direct')),
    figure(`all with the cheaper write, on ${cores} cores`, sum / cores, median('nginx')),
  ];
}

/** Processor seconds of curl, as the shell knows them, and of who receives. */
async function send(source: string, url: string): Promise<{ client: number; server: number }> {
  const { stdout } = await run('bash', ['-c', 'curl -q -sS -f -T "$1" "$2" && echo && times', 'bash', source, url]);
  const [server = '', , children = ''] = stdout.split('\n');
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/gu)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return { client: times.reduce((sum, time) => sum + time, 0), server: Number(server) };
}

async function hashing(mebibytes: number): Promise<number> {
  using memory = leaseMemory();
  const before = process.cpuUsage();
  const hash = createHash('sha256');
  for (let done = 0; done < mebibytes;) {
    for (const block of memory.blocks) {
      hash.update(block);
      done += block.length / mebibyte;
    }
  }
  hash.digest();
  return processorSecondsSince(before);
}

async function writing(path: string, mebibytes: number, flags: number): Promise<number> {
  using memory = leaseMemory();
  const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
  const before = process.cpuUsage();
  {
    await using file = await open(path, O_CREAT | O_TRUNC | O_WRONLY | flags);
    for (let done = 0; done < mebibytes * mebibyte;) {
      for (const block of memory.blocks) done += (await file.write(block, 0, block.length, done)).bytesWritten;
    }
    await file.sync();
  }
  const seconds = processorSecondsSince(before);
  await rm(path);
  return seconds;
}

function processorSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function leaseMemory() {
  const lease = createBlockMemory().lease();
  if (!lease) throw new Error('there is no memory to be had');
  return lease;
}
