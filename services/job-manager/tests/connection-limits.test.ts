import { breakerLimits } from '@waybill/outbound/limits/circuit-breaker';
import { afterAll, expect, it } from 'vitest';
import {
  connectTo,
  countedTypes,
  startCountedPartner,
  startSilentPartner,
  stopPartners,
  useOnce,
  type CountedType,
} from './counted-partners.ts';

const uses = 12;
const numbers = Array.from({ length: uses }, (_, index) => index);

afterAll(stopPartners);

it.each(countedTypes)('%s: many steps at once never open more connections than allowed', async (type) => {
  const { partner, seen } = await startCountedPartner(type);
  using connection = connectTo(type, partner, { maxConnections: 3 });
  await Promise.all(numbers.map((number) => useOnce(connection, number)));
  expect(seen.most).toBe(3);
  // Connections are used again, except for mails.
  if (type === 'smtp') expect(seen.total).toBe(uses);
  else expect(seen.total).toBe(3);
});

const settings: Readonly<Record<CountedType, Readonly<Record<string, unknown>>>> = {
  sftp: { host: '127.0.0.1', username: 'u', password: 'secret://p', hostKeys: [`SHA256:${'A'.repeat(43)}`] },
  ftps: { host: '127.0.0.1', username: 'u', password: 'secret://p' },
  s3: { bucket: 'bucket', pathStyle: true, accessKeyId: 'secret://a', secretAccessKey: 'secret://s' },
  http: {},
  smtp: { host: '127.0.0.1', from: 'a@example.org', security: 'none' },
};
const impatient = { maxConnections: 1, connectTimeoutSeconds: 0.3, idleTimeoutSeconds: 0.3 };

it.each(countedTypes)(
  '%s: a partner that never answers costs three attempts, then one after each pause',
  async (type) => {
    const { port, seen } = await startSilentPartner();
    let now = 0;
    using connection = connectTo(
      type,
      { port, settings: settings[type], secrets: {} },
      { ...impatient, clock: () => now },
    );
    // The SDK of S3 tries each call up to three times.
    const most = (probes: number): number => (type === 's3' ? 3 * probes : probes);
    const outcomes = async (): Promise<unknown[]> => {
      const settled = await Promise.allSettled(numbers.map((number) => useOnce(connection, number)));
      return settled.map((result) =>
        result.status === 'rejected' ? (result.reason as { code?: unknown }).code : 'ok',
      );
    };
    const suspended = (count: number): string[] => Array.from({ length: count }, () => 'connection_suspended');
    const failed = (count: number): string[] => Array.from({ length: count }, () => 'connection_failed');

    expect(await outcomes()).toEqual([...failed(3), ...suspended(uses - 3)]);
    expect(seen.total).toBeLessThanOrEqual(most(3));
    expect(connection.state().isOpen).toBe(true);
    const before = seen.total;
    expect(await outcomes()).toEqual(suspended(uses));
    expect(seen.total).toBe(before);
    for (const pauseMs of [breakerLimits.pauseMs, 2 * breakerLimits.pauseMs]) {
      const earlier = seen.total;
      now += pauseMs - 1_000;
      expect(await outcomes()).toEqual(suspended(uses));
      now += 1_001;
      expect((await outcomes()).toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
        ...failed(1),
        ...suspended(uses - 1),
      ]);
      expect(seen.total - earlier).toBeGreaterThan(0);
      expect(seen.total - earlier).toBeLessThanOrEqual(most(1));
    }
  },
);
