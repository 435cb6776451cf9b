import type { RedisConnection } from '@waybill/redis/connect-redis';

const mebibyte = 1024 * 1024;

/** The memory of Redis, in MiB, looked at once a second. */
export interface RedisWatch extends Disposable {
  readonly samples: readonly number[];
}

/** The memory that Redis uses now, in MiB. */
export async function redisMemory(redis: RedisConnection): Promise<number> {
  return Number(/^used_memory:(\d+)/mu.exec(await redis.info('memory'))?.[1] ?? Number.NaN) / mebibyte;
}

/** Looks until it is disposed of. While Redis is away there is no sample. */
export function watchRedis(redis: RedisConnection): RedisWatch {
  const samples: number[] = [];
  const timer = setInterval(() => {
    redisMemory(redis).then(
      (sample) => samples.push(sample),
      () => {},
    );
  }, 1_000);
  return { samples, [Symbol.dispose]: () => clearInterval(timer) };
}
