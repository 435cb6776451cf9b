import {
  type PlatformHealthView,
  readPlatformHealthEndpoint,
} from '@waybill/contracts/endpoints/platform/read-platform-health';
import type { ServicePresence } from '@waybill/contracts/messages/service-presence';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { type DurablePostgres, startDurablePostgres } from '@waybill/test-kit/start-durable-postgres';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

/** The address of the health of the platform. */
export const { path } = readPlatformHealthEndpoint;
const { schema } = readPlatformHealthEndpoint.responses[200].body;

/** A response never waits for a part; this much is granted to a busy machine. */
export const promptMs = 3_000;

/** A platform whose parts can hang and die. */
export interface HealthRig {
  readonly postgres: DurablePostgres;
  readonly objects: TestObjectStore;
  readonly platform: TestPlatform;
  readonly manager: TestJobManager;
  readonly redis: RedisConnection;
}

/** Starts the platform before the tests of the calling file. */
export function healthRig(): HealthRig & {
  read(): Promise<PlatformHealthView>;
  until(what: string, isSo: (health: PlatformHealthView) => boolean): Promise<PlatformHealthView>;
  /** All but the audit log: no audit service runs here, so that the events of the test wait for ever. */
  allUp(): Promise<PlatformHealthView>;
} {
  const stop = new AsyncDisposableStack();
  let rig: HealthRig | undefined;
  beforeAll(async () => {
    rig = await start(stop);
  });
  afterAll(() => stop.disposeAsync());
  const started = (): HealthRig => {
    if (rig === undefined) throw new Error('the platform only exists while tests run');
    return rig;
  };
  const read = async (): Promise<PlatformHealthView> => {
    const { client, viewer } = started().manager;
    const begunAt = performance.now();
    const response = await client.get(path, { bearer: viewer });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(performance.now() - begunAt).toBeLessThan(promptMs);
    return schema.parse(response.json());
  };
  const until = (what: string, isSo: (health: PlatformHealthView) => boolean): Promise<PlatformHealthView> =>
    waitFor(
      async () => {
        const health = await read();
        return isSo(health) ? health : undefined;
      },
      { what, timeoutMs: 60_000 },
    );
  return {
    get postgres() {
      return started().postgres;
    },
    get objects() {
      return started().objects;
    },
    get platform() {
      return started().platform;
    },
    get manager() {
      return started().manager;
    },
    get redis() {
      return started().redis;
    },
    read,
    until,
    allUp: () =>
      until('all parts to be up', ({ services, database, redis: { state }, connections, stores }) =>
        [state, ...[services, database, connections, ...stores].map((part) => part.state)].every((one) => one === 'up'),
      ),
  };
}

async function start(stop: AsyncDisposableStack): Promise<HealthRig> {
  const postgres = stop.use(await startDurablePostgres());
  const objects = stop.use(await createTestObjectStore());
  const platform = stop.use(
    await startTestPlatform({
      url: postgres.url('postgres'),
      query: () => Promise.reject(new Error('this test looks through the interface')),
    }),
  );
  const { endpoint, bucket, region, credentials } = objects;
  const cold = { name: 'cold', type: 's3', bucket, region, endpoint, pathStyle: true };
  await platform.apply({ ...testConfiguration, storageClasses: [cold] });
  const keys = { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey };
  const manager = stop.use(await startTestJobManager(platform, keys));
  const logger = createLogger({ service: 'test', level: 'silent' });
  const redis = connectRedis({ url: platform.redis.url, name: 'test', logger });
  stop.defer(() => redis.disconnect());
  return { postgres, objects, platform, manager, redis };
}

/** The report of a process, as it is in Redis. */
export const presenceOf = (presence: Partial<ServicePresence>): string =>
  JSON.stringify({ service: 'audit', node: 'audit1', startedAt: new Date().toISOString(), failing: [], ...presence });
