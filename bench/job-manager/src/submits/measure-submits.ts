import { parseArgs } from 'node:util';
import { openSubmitPlatform } from './open-submit-platform.ts';
import { measureSubmitLoad, type SubmitFigures } from './submit-load.ts';

/*
 * Submits jobs over HTTP: to a job manager in a process of its own with `ROLE=api`, and to a bare server that shows what
 * the least of it costs, on one PostgreSQL with fsync.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } });
const seconds = Number(values.seconds);

await using platform = await openSubmitPlatform(print);
const { bare, jobManager } = platform;
print(`Submissions over HTTP for ${seconds} s, each with an extIPID of its own, on connections that are kept open;`);
print('one PostgreSQL with fsync for both servers; ms are processor time for one submission');
print('server            at a time  submits/s  p50 ms  p95 ms  client ms  Node ms  PostgreSQL ms  Redis ms');
for (const connections of [16, 64]) {
  for (const server of [bare, jobManager]) {
    const figures = await measureSubmitLoad({ ...platform, server, connections, seconds });
    print(`${server.name.padEnd(17)} ${String(connections).padStart(9)} ${rowOf(figures)}`);
  }
}

function rowOf({ perSecond, p50, p95, client, node, postgres, redis }: SubmitFigures): string {
  return [
    perSecond.toFixed(0).padStart(10),
    p50.toFixed(1).padStart(7),
    p95.toFixed(1).padStart(7),
    client.toFixed(2).padStart(10),
    node.toFixed(2).padStart(8),
    postgres.toFixed(2).padStart(14),
    redis.toFixed(2).padStart(9),
  ].join(' ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
