import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRedisDownloadCoverage } from '../src/create-redis-download-coverage.ts';

let server: TestRedis;

beforeAll(async () => {
  server = await createTestRedis();
});
afterAll(() => server.stop());

function connect() {
  const logger = createLogger({ service: 'test', level: 'fatal' });
  const connection = connectRedis({ url: server.url, name: 'test', logger });
  return { connection, [Symbol.asyncDispose]: async () => void (await connection.quit()) };
}

describe('the coverage of a download', () => {
  const ofFile = (userId: string, fileset: number, size = 100) => ({
    user: { id: userId },
    fileset: filesetIdSchema.parse(String(fileset)),
    size,
  });

  test('is each user’s own', async () => {
    await using redis = connect();
    const coverage = createRedisDownloadCoverage(redis.connection);
    expect(await coverage.add(ofFile('one', 1), { start: 0, end: 50 })).toBe(false);
    expect(await coverage.add(ofFile('two', 1), { start: 50, end: 100 })).toBe(false);
    expect(await coverage.add(ofFile('one', 1), { start: 50, end: 100 })).toBe(true);
    expect(await coverage.add(ofFile('one', 1), { start: 50, end: 100 })).toBe(false);
  });

  test('is right beyond 32 bits', async () => {
    await using redis = connect();
    const coverage = createRedisDownloadCoverage(redis.connection);
    const size = 2 ** 50 + 1;
    expect(await coverage.add(ofFile('vast', 1, size), { start: 2 ** 49 + 1, end: size })).toBe(false);
    expect(await coverage.add(ofFile('vast', 1, size), { start: 0, end: 2 ** 49 })).toBe(false);
    expect(await coverage.add(ofFile('vast', 1, size), { start: 2 ** 49, end: 2 ** 49 + 1 })).toBe(true);
  });

  test('has bounds, for parts of a file and for files of a user, and an end', async () => {
    await using redis = connect();
    const coverage = createRedisDownloadCoverage(redis.connection);
    for (let index = 0; index < 300; index += 1) {
      await coverage.add(ofFile('crumbs', 1, 10_000), { start: index * 2 + 1, end: index * 2 + 2 });
    }
    const [crumbs = ''] = await redis.connection.hvals('waybill:sent-parts:/crumbs');
    expect(crumbs.split(',')).toHaveLength(200);
    for (let index = 0; index < 1_050; index += 1) {
      await coverage.add(ofFile('many', index + 1), { start: 0, end: 50 });
    }
    expect(await redis.connection.hlen('waybill:sent-parts:/many')).toBe(1_000);
    expect(await redis.connection.zcard('waybill:sent-files:/many')).toBe(1_000);
    expect(await coverage.add(ofFile('many', 1), { start: 50, end: 100 })).toBe(false);
    expect(await coverage.add(ofFile('many', 1_050), { start: 50, end: 100 })).toBe(true);
    for (const key of ['waybill:sent-parts:/many', 'waybill:sent-files:/many']) {
      expect(await redis.connection.ttl(key)).toBeGreaterThan(86_000);
    }
  });

  test('of a version that was sent at once is forgotten, for that user and version alone', async () => {
    await using redis = connect();
    const coverage = createRedisDownloadCoverage(redis.connection);
    for (const [user, file] of [
      ['whole', 1],
      ['whole', 2],
      ['other', 1],
    ] as const) {
      await coverage.add(ofFile(user, file), { start: 0, end: 50 });
    }
    coverage.forget(ofFile('whole', 1));
    const kept = () => redis.connection.hkeys('waybill:sent-parts:/whole');
    await waitFor(async () => (await kept()).length === 1, { what: 'the parts to be forgotten' });
    expect(await kept()).toEqual(['2']);
    expect(await redis.connection.zrange('waybill:sent-files:/whole', '0', '-1')).toEqual(['2']);
    expect(await redis.connection.hkeys('waybill:sent-parts:/other')).toEqual(['1']);
  });

  test('does not complete a part that comes right after the version was sent at once, and that part stays', async () => {
    await using redis = connect();
    const coverage = createRedisDownloadCoverage(redis.connection);
    await coverage.add(ofFile('quick', 1), { start: 0, end: 50 });
    coverage.forget(ofFile('quick', 1));
    expect(await coverage.add(ofFile('quick', 1), { start: 50, end: 100 })).toBe(false);
    expect(await coverage.add(ofFile('quick', 1), { start: 0, end: 50 })).toBe(true);
  });

  test('fails nobody when it cannot be forgotten', async () => {
    const redis = connect();
    const coverage = createRedisDownloadCoverage(redis.connection);
    await redis[Symbol.asyncDispose]();
    coverage.forget(ofFile('nobody', 1));
    // Time for a rejection that is not handled, which would fail this test.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(coverage.add(ofFile('nobody', 1), { start: 0, end: 50 })).rejects.toThrow(/./u);
  });
});
