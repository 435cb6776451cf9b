import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestRedis, type TestRedis } from '../src/create-test-redis.ts';

describe('createTestRedis', () => {
  let redis: TestRedis;
  let client: Redis;

  beforeAll(async () => {
    redis = await createTestRedis();
    client = new Redis(redis.url, { retryStrategy: () => 50 });
    client.on('error', () => {});
  });

  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  it('remembers over a crash what it acknowledged, and forgets on flush', async () => {
    await client.set('key', 'value');
    await redis.kill();
    await redis.restart();
    expect(await client.get('key')).toBe('value');
    await redis.flush();
    expect(await client.get('key')).toBeNull();
  });

  it('is a separate server', async () => {
    await using other = await createTestRedis();
    expect(other.url).not.toBe(redis.url);
  });
});
