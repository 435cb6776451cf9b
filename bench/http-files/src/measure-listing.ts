import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '@waybill/bench-filebox/quantile';
import type { Figure } from './figure.ts';
import { fillFolder, fullFolder } from './fill-folder.ts';
import type { BenchPlatform } from './open-bench-platform.ts';

const sorts = ['name', 'size', 'put_date', 'read_date', 'expiry_date'] as const;
const pageSize = 500;
const timeoutMs = 60_000;

/** The time for the service to read the page marks of an order. */
const settleMs = 3_000;

/** Changes of the folder, each followed by a first count. */
const changes = 5;

/** Pages that are read before the measurement: a service that has just started still compiles its code. */
const warmUpPages = 300;

/** Pages of a large folder in each order and direction from its beginning, its middle and anywhere; and counts. */
export async function measureListing(
  { service, db }: BenchPlatform,
  { entries, pages }: { entries: number; pages: number },
): Promise<Figure[]> {
  console.log(`Filling a folder with ${entries} entries ...`);
  await fillFolder(db, entries);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string) => timed(`${service.baseUrl}/2.0/${path}`, service.cookie, agent);
  for (let page = 0; page < warmUpPages; page += 1) await ask(`directories/${fullFolder}?start=${page}`);
  const figures: Figure[] = [];
  const cold: number[] = [];
  for (const sort of sorts) {
    cold.push((await ask(`directories/${fullFolder}?sort=${sort}&start=${entries / 2}`)).milliseconds);
    await sleep(settleMs);
    for (const [place, startOf] of placesOf(entries)) {
      const milliseconds: number[] = [];
      for (let page = 0; page < pages; page += 1) {
        const direction = page % 2 === 0 ? 'ASC' : 'DESC';
        const query = `sort=${sort}&direction=${direction}&start=${startOf()}&limit=${pageSize}`;
        const answer = await ask(`directories/${fullFolder}?${query}`);
        const { files, totalCount } = JSON.parse(answer.text) as { files: unknown[]; totalCount: string };
        if (files.length !== pageSize || Number(totalCount) !== entries) throw new Error('not the page asked for');
        milliseconds.push(answer.milliseconds);
      }
      figures.push(latencies(`${place} by ${sort}`, milliseconds, 15));
    }
  }
  figures.push(withoutBudget(latencies('middle page in an order that is new', cold, 15)));
  figures.push(...(await measureCounts(ask, pages)), await measureFirstCounts(ask, db, changes));
  agent.destroy();
  return figures;
}

/** A response, and its duration. */
type Ask = (path: string) => Promise<{ text: string; milliseconds: number }>;

/** Counts by patterns in a folder that was counted by one before, and has not changed since. */
async function measureCounts(ask: Ask, pages: number): Promise<Figure[]> {
  await ask(countPath('*first*'));
  await sleep(settleMs);
  const figures: Figure[] = [];
  for (const [kind, again, fresh] of patterns) {
    const milliseconds: number[] = [];
    for (let time = 0; time < pages; time += 1) milliseconds.push((await ask(countPath(again))).milliseconds);
    figures.push(latencies(`count of ${again}`, milliseconds, 50));
    const first: number[] = [];
    for (let time = 0; time < pages; time += 1) {
      first.push((await ask(countPath(fresh(time.toString(16).padStart(2, '0'))))).milliseconds);
    }
    figures.push(latencies(`count by ${kind} never asked before`, first, 50));
  }
  return figures;
}

/** The duration of counts before the service has read the names of a folder that has just changed. */
async function measureFirstCounts(ask: Ask, db: BenchPlatform['db'], times: number): Promise<Figure> {
  const milliseconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await db.raw(`UPDATE filebox.entries SET first_read_at = now()
      WHERE id = (SELECT id FROM filebox.entries WHERE kind = 'file' ORDER BY id LIMIT 1)`);
    milliseconds.push((await ask(countPath(`*${time}*9*`))).milliseconds);
    await sleep(settleMs);
  }
  return withoutBudget(latencies('first count by an infix after a change', milliseconds, 50));
}

/** A pattern of each kind, and one that is new each time. */
const patterns = [
  ['prefix', 'abc*', (digits: string) => `abc-${digits}*`],
  ['suffix', '*.csv', (digits: string) => `*${digits}.csv`],
  ['infix', '*x*', (digits: string) => `*${digits.split('').join('*')}*`],
] as const;

function placesOf(entries: number): readonly (readonly [string, () => number])[] {
  const anywhere = (): number => Math.floor(Math.random() * (entries - pageSize));
  return [
    ['first page', () => 0],
    ['middle page', () => entries / 2],
    ['any page', anywhere],
  ];
}

function withoutBudget({ name, ours, value }: Figure): Figure {
  return { name, ours, value };
}

function countPath(pattern: string): string {
  return `countelements/${fullFolder}?filter=${encodeURIComponent(pattern)}`;
}

function latencies(name: string, milliseconds: readonly number[], limit: number): Figure {
  const [p50, p95, worst] = [0.5, 0.95, 1].map((share) => quantile(milliseconds, share).toFixed(1));
  return {
    name,
    ours: `p50 ${p50}, p95 ${p95}, most ${worst} ms`,
    value: quantile(milliseconds, 0.95),
    budget: { kind: 'at most', limit, unit: 'ms' },
  };
}

/** Time until the last byte of a response has arrived. */
function timed(url: string, cookie: string, agent: Agent): Promise<{ text: string; milliseconds: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { cookie }, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const milliseconds = performance.now() - startedAt;
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve({ text, milliseconds });
        else reject(new Error(`${url} was answered ${response.statusCode}: ${text}`));
      });
    });
    request.on('timeout', () => request.destroy(new Error(`${url} was not answered in time`)));
    request.on('error', reject);
  });
}
