import { setTimeout as delay } from 'node:timers/promises';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { benchUsers, heardFolders } from './bench-configuration.ts';
import { loginOf, makeFolders, smallContent, withSessions } from './bench-setting.ts';
import { startBenchPlatform } from './start-bench-platform.ts';

const mebibyte = 1024 * 1024;

/** The memory of Redis, in MiB. */
export interface WaitingMemory {
  readonly waitingEvents: number;
  readonly before: number;
  readonly after: number;
}

/**
 * The growth of Redis while events wait: a platform without consumers, where a contract listens to every upload, for
 * this many seconds.
 */
export async function measureWaitingMemory(
  folder: string,
  key: { publicKey: string; privateKey: Buffer },
  { uploads, seconds }: { uploads: number; seconds: number },
): Promise<WaitingMemory> {
  await using platform = await startBenchPlatform(folder, { ...key, without: ['audit', 'job-manager'] });
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const redis = connectRedis({ url: platform.redisUrl, name: 'bench', logger });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => redis.disconnect());
  const held = async (): Promise<number> =>
    Number(/^used_memory:(\d+)/mu.exec(await redis.info('memory'))?.[1] ?? Number.NaN) / mebibyte;
  const login = loginOf({ platform, privateKey: key.privateKey }, benchUsers.heard);
  await makeFolders(login, heardFolders);
  return await withSessions(login, 1, async ([session]) => {
    await delay(2_000);
    const before = await held();
    const until = performance.now() + seconds * 1_000;
    for (let index = 0; index < uploads; index += 1) {
      await session?.create(`/in/${index}.dat`, smallContent);
      await delay(Math.max(0, (until - performance.now()) / (uploads - index) - 10));
    }
    await delay(Math.max(0, until - performance.now()));
    const { rows } = await platform.db.raw<{ rows: { count: string }[] }>('SELECT count(*) FROM outbox.events');
    return { waitingEvents: Number(rows[0]?.count), before, after: await held() };
  });
}
