import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';
import { failedPush, itPulls, itPushes, type TransferSite, transferActions } from './transfer-cases.ts';

const rig = connectionRig();
let server: OpensshServer;
let folder: string;
const site: TransferSite = { rig, folder: () => folder, cut: () => server.cut() };

const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1LqFvQY5b2PnLX3ViYk1M4hMHd8zqrhjmhMdBbiwmB';

beforeAll(async () => {
  server = await startOpensshServer();
  await rig.setSecret('acme-key', server.privateKey);
  const { port, userName: username, hostKey } = server;
  const sftp = {
    type: 'sftp',
    host: '127.0.0.1',
    port,
    username,
    privateKey: 'secret://acme-key',
    hostKeys: [hostKey],
  };
  await rig.configure(
    [
      { ...sftp, name: 'acme-sftp', maxConnections: 2, idleTimeoutSeconds: 20 },
      { ...sftp, name: 'other-host-key', hostKeys: [other] },
      { ...sftp, name: 'wrong-user', username: 'mallory' },
      { ...sftp, name: 'no-secret', privateKey: 'secret://never-set' },
      { ...sftp, name: 'off', enabled: false },
      { ...sftp, name: 'dead', port: 1 },
    ],
    transferActions('sftp', 'acme-sftp'),
  );
});
afterAll(() => server?.[Symbol.asyncDispose]());
let number = 0;
beforeEach(async () => {
  number += 1;
  folder = join(server.folder, String(number));
  await mkdir(folder);
});

describe('sftp-push', () => {
  itPushes(site);

  it.each([
    ['a server with another host key', 'other-host-key', 'which is not pinned'],
    ['a login that the server refuses', 'wrong-user', 'refuses the login of mallory'],
    ['a secret that was never set', 'no-secret', 'has no secret never-set'],
    ['a disabled connection', 'off', 'is disabled'],
    ['an unknown connection', 'acme-stfp', 'has a client connection "acme-stfp"'],
    ['a port without a server', 'dead', 'ECONNREFUSED'],
  ])('fails for %s, and says so', async (_, connection, message) => {
    expect((await failedPush(site, connection)).statusMessage).toContain(message);
  });

  it('does not try again what cannot succeed', async () => {
    await rig.platform.deliver('/outbox/x', Buffer.from('x'));
    const job = await rig.run('push', 'ERROR', { source: '/outbox/x', target: `${folder}/absent/x` });
    expect(job.steps?.[0]).toMatchObject({ attempts: 1, error: expect.stringContaining('no such file or folder') });
  });
});

describe('sftp-pull', () => {
  itPulls(site, '.hidden.pgp');

  it('fails for a folder that does not exist', async () => {
    expect((await rig.run('pull', 'ERROR', { source: `${folder}/absent/*` })).steps?.[0]?.attempts).toBe(1);
  });
});

it('shows the health of connections as metrics', async () => {
  const { text } = await rig.manager.client.get('/metrics');
  expect(text).toMatch(/waybill_outbound_connections\{connection="acme-sftp",state="idle",[^}]*\} [12]\n/u);
  expect(text).toMatch(/waybill_outbound_attempts_total\{connection="dead",outcome="failed",[^}]*\} 1\n/u);
  expect(text).toMatch(/waybill_outbound_suspended\{connection="acme-sftp",[^}]*\} 0\n/u);
});
