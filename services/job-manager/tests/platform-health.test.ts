import { setTimeout } from 'node:timers/promises';
import type { PlatformHealthView } from '@waybill/contracts/endpoints/platform/read-platform-health';
import type { ServicePresence } from '@waybill/contracts/messages/service-presence';
import { describe, expect, it } from 'vitest';
import { healthRig, path, presenceOf, promptMs } from './health-rig.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const rig = healthRig();
const { read, until, allUp } = rig;

describe('the health of the platform', () => {
  it('is shown to an ordinary role, with every part, and without addresses or secrets', async () => {
    await until('the report of the process', ({ services }) => services.processes.length > 0);
    const health = await allUp();
    expect(health.database.details).toMatchObject({
      role: 'primary',
      replicas: 0,
      version: expect.stringMatching(/^\d/u),
    });
    expect(health.database.details?.connections).toBeGreaterThan(0);
    expect(health.redis.details).toMatchObject({ policy: 'noeviction', persistence: 'append-only', role: 'master' });
    expect(health.stores.map(({ name, type, state }) => [name, type, state])).toEqual([
      ['local', 'local', 'up'],
      ['cold', 's3', 'up'],
    ]);
    expect(health.stores[0]?.freeBytes).toBeGreaterThan(0);
    expect(health.services.processes).toMatchObject([{ service: 'job-manager', node: 'node1', state: 'ready' }]);
    expect(health.audit).toMatchObject({ checkpoint: null, anchors: [] });
    const text = JSON.stringify(health);
    const secrets = [rig.platform.redis.url, rig.postgres.url('postgres'), rig.objects.endpoint].map(
      (url) => new URL(url),
    );
    for (const { password, host } of secrets) {
      if (password !== '') expect(text).not.toContain(password);
      expect(text).not.toContain(host);
    }
    expect(text).not.toContain(rig.objects.credentials.secretAccessKey);
  });

  it('is refused without a login and without the permission', async () => {
    expect((await rig.manager.client.get(path)).status).toBe(401);
    expect((await rig.manager.client.get(path, { bearer: 'nonsense' })).status).toBe(401);
    expect((await rig.manager.client.get(path, { bearer: rig.manager.viewer, query: { part: 'redis' } })).status).toBe(
      400,
    );
  });

  it('asks Redis no more often when fifty consoles ask for it', async () => {
    const commands = async () => Number(/total_commands_processed:(\d+)/u.exec(await rig.redis.info('stats'))?.[1]);
    const during = async (work: () => Promise<unknown>): Promise<number> => {
      const before = await commands();
      await work();
      return (await commands()) - before;
    };
    const begun = performance.now();
    const asked = await during(async () => {
      for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 50 }, read));
    });
    // The other work of the platform goes on meanwhile, which is more the slower the machine is.
    const others = await during(() => setTimeout(performance.now() - begun));
    expect(asked - others).toBeLessThan(300);
  });

  it.each([
    ['Redis', 'redis', (isPaused: boolean) => rig.platform.redis.pause(isPaused)],
    ['PostgreSQL', 'database', (isPaused: boolean) => rig.postgres.pause(isPaused)],
  ] as const)(
    'shows that %s hangs, since when, without hanging itself, and that it is back',
    async (name, part, pause) => {
      const before = await allUp();
      pause(true);
      try {
        const health = await until(`${name} to be down`, (shown) => shown[part].state === 'down');
        expect(health[part].reason).toBe(`${name} did not answer within 1 s`);
        expect(health[part].details).toEqual(expect.objectContaining({ version: before[part].details?.version }));
        expect(health.state).toBe('down');
        expect(health[part === 'redis' ? 'database' : 'redis'].state).toBe('up');
        const { since } = health[part];
        expect(Date.parse(since)).toBeGreaterThan(Date.parse(before.at));
        const later = await until('another check', ({ at }) => Date.parse(at) - Date.parse(since) > 5_000);
        expect(later[part].since).toBe(since);
        // Somebody whose rights nobody has read yet waits no longer either.
        const begunAt = performance.now();
        const stranger = await rig.manager.client.get(path, { bearer: rig.manager.admin });
        expect([200, 503]).toContain(stranger.status);
        expect(performance.now() - begunAt).toBeLessThan(promptMs);
      } finally {
        pause(false);
      }
      await allUp();
    },
  );

  it.each([
    ['Redis', 'redis', () => rig.platform.redis],
    ['PostgreSQL', 'database', () => rig.postgres],
  ] as const)('shows that %s was killed, and that it is back', async (name, part, server) => {
    await allUp();
    await server().kill();
    const health = await until(`${name} to be down`, (shown) => shown[part].state === 'down');
    expect(health[part].reason).toMatch(new RegExp(`^${name} (?:cannot be used|did not answer)`, 'u'));
    expect(JSON.stringify(health)).not.toContain('127.0.0.1');
    await server().restart();
    await allUp();
  });

  it('shows that S3 hangs, and nothing else', async () => {
    await allUp();
    rig.objects.pause(true);
    try {
      const health = await until('the storage class to be down', ({ stores }) => stores[1]?.state === 'down');
      expect(health.stores.map(({ state }) => state)).toEqual(['up', 'down']);
      expect(health.stores[1]?.reason).toMatch(/^The storage class cold (?:did not answer|cannot be used)/u);
      expect([health.database.state, health.redis.state]).toEqual(['up', 'up']);
    } finally {
      rig.objects.pause(false);
    }
    await allUp();
  });

  it('warns of a Redis that may evict messages, and of one whose memory is full', async () => {
    await rig.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const health = await until('a warning', ({ redis: { state } }) => state === 'degraded');
    expect(health.redis.reason).toContain('maxmemory-policy allkeys-lru');
    await rig.redis.config('SET', 'maxmemory-policy', 'noeviction');
    await rig.platform.redis.fill(true);
    await until('a warning', ({ redis: { reason } }) => reason === 'The memory of Redis is nearly full');
    await rig.platform.redis.fill(false);
    await allUp();
  });

  it('shows processes that are not ready or silent, forgets what took their place, and ignores garbage', async () => {
    const now = Date.now();
    const early = new Date(now - 600_000).toISOString();
    await rig.redis.hset('waybill:presence', {
      ready: presenceOf({ node: 'a1', reportedAt: now }),
      failing: presenceOf({ node: 'a2', reportedAt: now, failing: ['postgres'] }),
      silent: presenceOf({ node: 'a3', reportedAt: now - 60_000 }),
      replaced: presenceOf({ node: 'a1', reportedAt: now - 60_000, startedAt: early }),
      forgotten: presenceOf({ node: 'a4', reportedAt: now - 3_600_000 }),
      future: presenceOf({ node: 'a5', reportedAt: now + 3_600_000 }),
      damaged: '{"service":',
      other: '[]',
      huge: 'x'.repeat(100_000),
    });
    const seen = ({ services }: PlatformHealthView) =>
      services.processes.filter(({ service }) => service === 'audit').map(({ node, state }) => `${node} ${state}`);
    const health = await until('the processes', (shown) => seen(shown).length > 0);
    expect(seen(health)).toEqual(['a1 ready', 'a2 not ready', 'a3 silent', 'a5 ready']);
    expect(health.services).toMatchObject({ state: 'degraded', reason: 'Not ready: audit on a2, audit on a3' });
    expect(await rig.redis.hmget('waybill:presence', 'forgotten', 'damaged', 'other', 'huge')).toEqual([
      null,
      null,
      null,
      null,
    ]);
    await rig.redis.hdel('waybill:presence', 'ready', 'failing', 'future', 'replaced');
    const gone = await until('the service to be gone', ({ services }) => services.state === 'down');
    expect(gone.services.reason).toBe('No process of audit is ready');
    await rig.redis.hdel('waybill:presence', 'silent');
    await allUp();
  });

  it('shows the checkpoint and the anchors that the audit service reports, and the events that wait', async () => {
    const behindSince = new Date(Date.now() - 1_000_000).toISOString();
    const anchor = { name: 'file:/a', kind: 'file', records: 40, contradicts: false } as const;
    const audit = {
      checkpoint: { records: 42, signedAt: new Date().toISOString() },
      anchors: [anchor, { ...anchor, name: 'w', kind: 'witness' as const, behindSince, failingSince: behindSince }],
    };
    const report = (state: ServicePresence['audit']) =>
      rig.redis.hset('waybill:presence', 'audit', presenceOf({ reportedAt: Date.now(), audit: state }));
    await report(audit);
    const health = await until('the anchors', ({ audit: { checkpoint } }) => checkpoint !== null);
    expect(health.audit.checkpoint).toEqual(audit.checkpoint);
    expect(health.audit.anchors).toMatchObject([
      { name: 'file:/a', state: 'up', since: null, lagSeconds: 0 },
      { name: 'w', kind: 'witness', state: 'degraded', since: behindSince, records: 40 },
    ]);
    expect(health.audit.anchors[1]?.lagSeconds).toBeGreaterThan(999);
    // No audit service runs here: the logins of this test wait.
    expect(health.audit.waiting).toBeGreaterThan(0);
    await report({ ...audit, anchors: [{ ...anchor, contradicts: true }] });
    const contradicted = 'The audit log contradicts an anchor: nothing is recorded';
    const stopped = await until('the contradiction', (shown) => shown.audit.reason === contradicted);
    expect(stopped.audit.state).toBe('down');
    await rig.redis.hdel('waybill:presence', 'audit');
  });

  it('is shown by `waybill status`, which fails when a part is down', async () => {
    await using access = await platformAccess(rig.manager);
    await rig.redis.hset('waybill:presence', 'gone', presenceOf({ service: 'ftp', reportedAt: Date.now() - 60_000 }));
    await until('the silent process', ({ services }) => services.state === 'down');
    const { code, out } = await runWaybill('status', ...access.options);
    expect(code).toBe(1);
    for (const line of [
      /^postgresql +up +[\d.]+ ms +\d+\.\d+, primary/mu,
      /^store cold +up/mu,
      /^ftp on audit1 +down .*no report for \d+ s/mu,
    ])
      expect(out).toMatch(line);
    await rig.redis.hdel('waybill:presence', 'gone');
  });
});
