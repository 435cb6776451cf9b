import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quantile } from '@waybill/bench-filebox/quantile';
import { makeContent, settleDisk } from './bench-disk.ts';
import type { Figure } from './figure.ts';
import type { TransferOptions } from './measure-transfers.ts';
import type { BenchPlatform } from './open-bench-platform.ts';
import { runCurl } from './run-curl.ts';
import { startBenchServer } from './start-bench-server.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
/** The size of one write: large past the page cache, through it as much as fits the processor's cache. */
const pieceBytes = { direct: 2 * mebibyte, buffered: mebibyte / 4 };

/**
 * The minimal processor seconds of a PUT on one machine with its client, each part measured separately and unhindered,
 * against what nginx needs for one. Work of the kernel outside these processes, such as writing back, is not counted.
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
    keep('hash', hashing(mebibytes));
    keep('buffered', await writing(join(folder, 'written'), mebibytes, 'buffered'));
    keep('direct', await writing(join(folder, 'written'), mebibytes, 'direct'));
    await settleDisk();
    keep('nginx', (await runCurl(201, ['-o', '/dev/null', '-T', source, `${nginx.baseUrl}/big`])).seconds);
    await runCurl(204, ['-X', 'DELETE', `${nginx.baseUrl}/big`]);
  }
  await rm(source);
  const median = (name: string): number => quantile(seconds[name] ?? [], 0.5);
  const others = median('client') + median('receive') + median('hash');
  const cores = cpus().length;
  const figure = (name: string, value: number, peer?: number): Figure => {
    const of = (figureOf: number): string => `${figureOf.toFixed(2)} s`;
    return { name, ours: of(value), value: peer === undefined ? value : peer / value, ...(peer && { peer: of(peer) }) };
  };
  return [
    figure('processor: curl sends', median('client')),
    figure('processor: receive and throw away', median('receive')),
    figure('processor: SHA-256', median('hash')),
    figure('processor: write and sync, by the page cache', median('buffered')),
    figure('processor: write and sync, past it', median('direct')),
    figure(`total, by the page cache, on ${cores} cores`, (others + median('buffered')) / cores, median('nginx')),
    figure(`total, past it, on ${cores} cores`, (others + median('direct')) / cores, median('nginx')),
  ];
}

/** Processor seconds of curl, as the shell reports them, and of the receiver. */
async function send(source: string, url: string): Promise<{ client: number; server: number }> {
  const { stdout } = await run('bash', ['-c', 'curl -q -sS -f -T "$1" "$2" && echo && times', 'bash', source, url]);
  const [server = '', , children = ''] = stdout.split('\n');
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/gu)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return { client: times.reduce((sum, time) => sum + time, 0), server: Number(server) };
}

function hashing(mebibytes: number): number {
  const content = makeAlignedMemory();
  const before = process.cpuUsage();
  const hash = createHash('sha256');
  for (let done = 0; done < mebibytes; done += content.length / mebibyte) hash.update(content);
  hash.digest();
  return processorSecondsSince(before);
}

async function writing(path: string, mebibytes: number, way: 'buffered' | 'direct'): Promise<number> {
  const content = makeAlignedMemory().subarray(0, pieceBytes[way]);
  const { O_CREAT, O_DIRECT, O_TRUNC, O_WRONLY } = constants;
  const before = process.cpuUsage();
  {
    await using file = await open(path, O_CREAT | O_TRUNC | O_WRONLY | (way === 'direct' ? O_DIRECT : 0));
    for (let done = 0; done < mebibytes * mebibyte;) {
      done += (await file.write(content, 0, content.length, done)).bytesWritten;
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

/** As large as the largest write. Resizable memory starts at a page boundary, as `O_DIRECT` requires. */
function makeAlignedMemory(): Buffer {
  return Buffer.from(new ArrayBuffer(pieceBytes.direct, { maxByteLength: pieceBytes.direct }));
}
