import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import { connectRedis } from '@waybill/redis/connect-redis';
import { readPresences } from '@waybill/redis/presence/read-presences';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey, removeKey } from '@waybill/signing-keys/rotate-keys';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostKeyStore, type StoredHostKey } from '../src/adapters/host-key-store.ts';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';

/** The gateway that reads changed files within a moment, and the one that does not read them again after its start. */
const [reloaded, notReloaded] = [{ KEY_RELOAD_SECONDS: '0.05' }, { KEY_RELOAD_SECONDS: '86400' }];

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let rig: GatewayRig;

beforeAll(async () => {
  [folder, rig] = await Promise.all([createTestFolder(), createGatewayRig()]);
});

afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await folder?.remove();
});

/** Logs in with OpenSSH as to one address in front of all gateways, and never accepts an unknown key. */
function meet({ sftpPort }: RunningGateway, knownHosts: string, strict: 'yes' | 'accept-new' = 'yes') {
  return runSftp({
    port: sftpPort,
    user: 'globex',
    password: 'globex-demo',
    commands: ['pwd'],
    sshOptions: {
      UserKnownHostsFile: knownHosts,
      StrictHostKeyChecking: strict,
      HostKeyAlias: 'waybill',
      HostKeyAlgorithms: 'ssh-ed25519',
      UpdateHostKeys: 'yes',
    },
  });
}

async function knows(knownHosts: string, key: StoredHostKey): Promise<boolean> {
  return (await readFile(knownHosts, 'utf8')).includes(key.publicBlob.toString('base64'));
}

/** A session that stays open. */
async function openSession({ sftpPort }: RunningGateway) {
  const seen: string[] = [];
  const client = new ssh2.Client();
  client.connect({
    host: '127.0.0.1',
    port: sftpPort,
    username: 'globex',
    password: 'globex-demo',
    algorithms: { serverHostKey: ['ssh-ed25519'] },
    hostVerifier: (key: Buffer) => {
      seen.push(key.toString('base64'));
      return true;
    },
  });
  await once(client, 'ready');
  const sftp = await new Promise<ssh2.SFTPWrapper>((resolve, reject) =>
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
  );
  return {
    seen,
    keysRenewed: () => once(client, 'handshake'),
    list: () =>
      new Promise<number>((resolve, reject) =>
        sftp.readdir('/', (error, names) => (error ? reject(error) : resolve(names.length))),
      ),
    [Symbol.dispose]: () => client.end(),
  };
}

it('a rotation with two gateways ends no session and warns no client that learns keys', async () => {
  const env = { SFTP_HOST_KEY_DIR: join(folder.path, 'keys'), SFTP_HOST_KEY_TYPES: 'ed25519' };
  const keys = hostKeyStore(env.SFTP_HOST_KEY_DIR, 'ed25519');
  const [knownHosts, onlyOld] = ['known_hosts', 'known_hosts.old'].map((name) => join(folder.path, name));
  if (knownHosts === undefined || onlyOld === undefined) throw new Error('two names are needed');

  await using first = await rig.start('rotating1', { ...env, ...reloaded, SFTP_REKEY_SECONDS: '10' });
  expect(await meet(first, knownHosts, 'accept-new')).toMatchObject({ exitCode: 0 });
  await copyFile(knownHosts, onlyOld);
  using session = await openSession(first);
  const [oldBlob = ''] = session.seen;
  const activeOf = async (gateway: RunningGateway) => {
    using probe = await openSession(gateway);
    return probe.seen[0];
  };

  const added = await addKey(keys);
  const addedBlob = added.publicBlob.toString('base64');
  await using second = await rig.start('rotating2', { ...env, ...notReloaded });
  // The client knows only the old key, and learns the next one from whichever gateway it reaches.
  await waitFor(
    async () => {
      expect(await meet(first, knownHosts)).toMatchObject({ exitCode: 0 });
      return knows(knownHosts, added);
    },
    { what: 'the next key to be known', timeoutMs: 30_000 },
  );
  expect(await meet(second, knownHosts)).toMatchObject({ exitCode: 0 });
  expect([await activeOf(first), await activeOf(second)]).toEqual([oldBlob, oldBlob]);

  await activateKey(keys, { leastAgeMs: 0 });
  await waitFor(async () => (await activeOf(first)) === addedBlob, {
    what: 'the new key to be shown',
    timeoutMs: 30_000,
  });
  expect(await activeOf(second)).toBe(oldBlob);
  for (const gateway of [first, second]) expect(await meet(gateway, knownHosts)).toMatchObject({ exitCode: 0 });
  // A client that has not learned it still knows the gateway that shows the old key, and is warned by the other one.
  expect(await meet(second, onlyOld)).toMatchObject({ exitCode: 0 });

  // The server renews the keys of its connections, and shows each the host key that it began with.
  await session.keysRenewed();
  expect(await session.list()).toBeGreaterThanOrEqual(0);
  expect(new Set(session.seen)).toEqual(new Set([oldBlob]));

  await removeKey(keys, keyFingerprint(Buffer.from(oldBlob, 'base64')), { leastAgeMs: 0 });
  await waitFor(
    async () => {
      expect(await meet(first, knownHosts)).toMatchObject({ exitCode: 0 });
      return !(await readFile(knownHosts, 'utf8')).includes(oldBlob);
    },
    { what: 'the old key to be forgotten', timeoutMs: 30_000 },
  );
  const refused = await meet(second, knownHosts);
  expect(refused).toMatchObject({ exitCode: 255 });
  expect(refused.stderr).toContain('REMOTE HOST IDENTIFICATION HAS CHANGED');
});

it('reports when its host keys are to be replaced, if there is a plan', async () => {
  const env = { SFTP_HOST_KEY_DIR: join(folder.path, 'planned'), SFTP_HOST_KEY_TYPES: 'ed25519' };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const redis = connectRedis({ url: rig.redis.url, name: 'test', logger });
  try {
    await using _planned = await rig.start('planned', { ...env, SFTP_HOST_KEY_ROTATION_DAYS: '30' });
    await using _unplanned = await rig.start('unplanned', env);
    const reports = await waitFor(
      async () => {
        const found = (await readPresences(redis)).filter(({ node }) => node.endsWith('planned'));
        return found.length === 2 ? found : undefined;
      },
      { what: 'both reports', timeoutMs: 30_000 },
    );
    const { active } = await loadKeySet(hostKeyStore(env.SFTP_HOST_KEY_DIR, 'ed25519'));
    const [planned, unplanned] = reports.map(({ expiring }) => expiring);
    expect(planned).toEqual([
      { kind: 'host-key', name: 'host-ed25519', detail: active.kid, expiresAt: expect.stringMatching(/^2/u) },
    ]);
    const days = (Date.parse(planned?.[0]?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThanOrEqual(30);
    expect(unplanned).toEqual([]);
  } finally {
    redis.disconnect();
  }
});
