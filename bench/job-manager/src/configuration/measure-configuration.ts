import { parseArgs } from 'node:util';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { renderDocument } from '@waybill/configuration/document/render-document';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { forgetPeak, memoryOf } from '@waybill/test-kit/processes/memory-of';
import { type ApiManager, startApiManager } from '../api/start-api-manager.ts';
import { manyPartners, platformOfPartners } from './many-partners.ts';

/*
 * Plans and applies configurations of many partners over HTTP, with a job manager in a process of its own. The platform is
 * small before, and its statistics are those of a small one: PostgreSQL knows none of the rows that are added.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const counts = positionals.length === 0 ? [10_000] : positionals.map(Number);

for (const count of counts) {
  await using platform = await startApiManager(print, platformOfPartners);
  await settleSmall(platform);
  await measureConfiguration(platform, count);
}

/** Uses the platform while it is small, so that its connections have plans for small tables, and PostgreSQL has statistics of them. */
async function settleSmall(platform: ApiManager): Promise<void> {
  for (const partners of [2, 3, 4, 5, 6, 7]) {
    await apply(platform, await plan(platform, JSON.stringify(document(partners, 0))));
    const db = connectPostgres({ url: platform.postgres.url, applicationName: 'bench' });
    await db.raw('ANALYZE');
    await db.destroy();
  }
}

async function measureConfiguration(platform: ApiManager, count: number): Promise<void> {
  print(`${count} partners, each with a user with a key, a VFS, a Connection Contract and a contract`);
  print('                          seconds  processor s: job manager  PostgreSQL  resident MiB at most');
  const meter = meterOf(platform);
  for (const [title, partners, changed] of [
    ['all new', count, 0],
    ['unchanged', count, 0],
    ['a tenth changed', count, 10],
    ['half removed', Math.ceil(count / 2), 10],
  ] as const) {
    const text = JSON.stringify(document(partners, changed));
    const planned = await meter(`plan, ${title}`, () => plan(platform, text));
    await meter(`apply, ${title}`, () => apply(platform, planned));
  }
  const yaml = renderDocument(document(Math.ceil(count / 2), 10), 'yaml');
  await meter(`plan, half, as YAML`, () => plan(platform, yaml));
}

function document(partners: number, changed: number): object {
  return { source: 'bench', actors: manyPartners(partners, changed) };
}

async function plan(platform: ApiManager, text: string): Promise<string> {
  return (await post(platform, 'plan', { file: 'bench.json', document: text })).planId;
}

async function apply(platform: ApiManager, planId: string): Promise<void> {
  await post(platform, 'apply', { planId });
}

async function post({ manager, token }: ApiManager, path: string, body: object): Promise<{ planId: string }> {
  const response = await fetch(`http://127.0.0.1:${manager.port}/platform-application/api/v1/configuration/${path}`, {
    method: 'POST',
    // The server closes a connection that waits while a large document is made.
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, connection: 'close' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(1_200_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as { planId: string };
}

function meterOf({ manager, postgres }: ApiManager) {
  const read = () => Promise.all([manager.pid, postgres.pid].map((pid) => processorSecondsOfTree(pid)));
  return async <Result>(title: string, run: () => Promise<Result>): Promise<Result> => {
    await forgetPeak(manager.pid);
    const [before, startedAt] = [await read(), performance.now()];
    const result = await run();
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await read();
    const figures = [seconds, ...after.map((figure, at) => figure - (before[at] ?? 0))];
    const { peak } = await memoryOf(manager.pid);
    print(
      `${title.padEnd(24)} ${figures.map((figure) => figure.toFixed(1).padStart(8)).join('  ')} ${peak.toFixed(0).padStart(8)}`,
    );
    return result;
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
