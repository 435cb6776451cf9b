import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { redisAnswers } from '@waybill/private-datastores/redis-answers';
import { type PrivateRedis, startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('startPrivateRedis', () => {
  let folder: string;
  let redis: PrivateRedis;

  const start = async (port?: number): Promise<PrivateRedis> =>
    startPrivateRedis({
      folder,
      program: await ensureRedisServer(() => {}),
      ...(port === undefined ? {} : { port }),
    });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waybill-private-redis-'));
    redis = await start();
  });

  afterAll(async () => {
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('accepts its password and no other', async () => {
    const { port } = redis;
    await expect(redisAnswers({ port, password: new URL(redis.url).password })).resolves.toBe(true);
    await expect(redisAnswers({ port, password: 'another' })).resolves.toBe(false);
  });

  it('keeps its address after kill -9 and a new start', async () => {
    const before = redis.url;
    await redis.kill();
    redis = await start(redis.port);
    expect(redis.url).toBe(before);
  });

  it('ends a server that an earlier run left behind, and takes its place', async () => {
    const leftover = redis;
    redis = await start(leftover.port);
    await expect(leftover.exited).resolves.toEqual({ code: 0, signal: null });
  });
});
