import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { describe, expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { replaceGlobex } from './test-configuration.ts';
import { twoPeers } from './test-peers.ts';

/** Nothing is to follow a response, so that there is nothing to wait for. */
const settleMs = 200;

const site = twoPeers({ users: ['globex'] });

async function firstReadDateOf(name: string, client = site.globex): Promise<string> {
  const answer = await client.get(`/2.0/metadata/data/${name}`);
  return (answer.json() as { metadata: { firstReadDate: string } }).metadata.firstReadDate;
}

async function downloadsOf(name: string): Promise<number> {
  const records = await site.rig.audited();
  return records.filter(({ auditMessage }) => auditMessage.startsWith(`Server download file /data/${name} `)).length;
}

describe('the first-read date is set', () => {
  const put = (name: string, content: string | Uint8Array<ArrayBuffer> = '0123456789') =>
    site.globex.put(`/2.0/files/data/${name}`, { multipart: formOf(content) });
  const get = (name: string, range: string, client = site.globex) =>
    client.get(`/2.0/files/data/${name}`, { headers: { range } });

  test('not by ranges that reach the last byte without the others', async () => {
    await put('tail.txt');
    for (const range of ['bytes=9-', 'bytes=5-9', 'bytes=-1', 'bytes=1-']) {
      expect((await get('tail.txt', range)).status).toBe(206);
    }
    await delay(settleMs);
    expect([await firstReadDateOf('tail.txt'), await downloadsOf('tail.txt')]).toEqual(['', 0]);
  });

  test('by a range of the whole file', async () => {
    await put('all.txt');
    await get('all.txt', 'bytes=0-');
    await expect.poll(() => firstReadDateOf('all.txt')).not.toBe('');
  });

  test('once by several connections to several peers that together read the whole file, in any order', async () => {
    await put('split.txt');
    const elsewhere = await site.other.logIn('globex');
    await get('split.txt', 'bytes=6-9', elsewhere);
    await get('split.txt', 'bytes=0-2');
    expect(await firstReadDateOf('split.txt')).toBe('');
    await get('split.txt', 'bytes=2-6', elsewhere);
    await expect.poll(() => firstReadDateOf('split.txt')).not.toBe('');
    expect(await downloadsOf('split.txt')).toBe(1);
  });

  test('once by a part, then the whole file, and then the rest after the part', async () => {
    await put('again.txt');
    await get('again.txt', 'bytes=0-4');
    await get('again.txt', 'bytes=0-9');
    await expect.poll(() => firstReadDateOf('again.txt')).not.toBe('');
    await get('again.txt', 'bytes=5-9');
    await delay(settleMs);
    expect(await downloadsOf('again.txt')).toBe(1);
  });

  test('not by ranges of another version', async () => {
    await put('versions.txt');
    await get('versions.txt', 'bytes=0-4');
    await put('versions.txt');
    await get('versions.txt', 'bytes=5-9');
    await delay(settleMs);
    expect(await firstReadDateOf('versions.txt')).toBe('');
  });

  test('by a download that was interrupted and resumed', async () => {
    const content = new Uint8Array(randomBytes(24 * 1024 * 1024));
    await put('resumed.bin', content);
    const leaving = new AbortController();
    const headers = { cookie: site.globex.cookies.header() ?? '' };
    const answer = await fetch(`${site.peer.url}/2.0/files/data/resumed.bin`, { headers, signal: leaving.signal });
    let received = 0;
    for await (const chunk of answer.body?.values({ preventCancel: true }) ?? []) {
      received += chunk.byteLength;
      if (received > 1_000_000) break;
    }
    leaving.abort();
    expect(await firstReadDateOf('resumed.bin')).toBe('');
    // The peer notices it a moment later than the client.
    const known = async () => (await redisKeys()).length;
    await expect.poll(known).toBeGreaterThan(0);
    await get('resumed.bin', `bytes=${received}-`);
    await expect.poll(() => firstReadDateOf('resumed.bin')).not.toBe('');
    expect(await downloadsOf('resumed.bin')).toBe(1);
  });

  // The last one: the client of the others has no user any more.
  test('not by ranges that a deleted user of the same name was sent', async () => {
    await put('inherited.txt');
    await get('inherited.txt', 'bytes=0-4');
    await replaceGlobex(site.rig.db);
    const newcomer = await site.peer.logIn('globex', 'newcomer-demo');
    expect((await get('inherited.txt', 'bytes=5-9', newcomer)).status).toBe(206);
    await delay(settleMs);
    expect(await firstReadDateOf('inherited.txt', newcomer)).toBe('');
    await get('inherited.txt', 'bytes=0-4', newcomer);
    await expect.poll(() => firstReadDateOf('inherited.txt', newcomer)).not.toBe('');
  });

  async function redisKeys(): Promise<string[]> {
    await using redis = connect();
    const { fileset } = (await site.globex.get('/2.0/metadata/data/resumed.bin')).json() as { fileset: number };
    const keys = await redis.connection.keys('waybill:sent-parts:*');
    const files = await Promise.all(keys.map((key) => redis.connection.hkeys(key)));
    return files.flat().filter((key) => key === String(fileset));
  }
});

function connect() {
  const logger = createLogger({ service: 'test', level: 'fatal' });
  const connection = connectRedis({ url: site.rig.redis.url, name: 'test', logger });
  return { connection, [Symbol.asyncDispose]: async () => void (await connection.quit()) };
}
