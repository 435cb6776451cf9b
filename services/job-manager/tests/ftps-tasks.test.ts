import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProftpd, type Proftpd } from '@waybill/test-kit/proftpd/start-proftpd';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';
import { type FakeFtp, startFakeFtp } from './fake-ftp.ts';
import { failedPush, itPulls, itPushes, type TransferSite, transferActions } from './transfer-cases.ts';

const rig = connectionRig();
let server: Proftpd;
let implicit: Proftpd;
let fake: FakeFtp;
let folder: string;
const site: TransferSite = { rig, folder: () => folder, cut: () => server.cut() };

const otherPin = Array.from({ length: 32 }, () => 'AB').join(':');

beforeAll(async () => {
  server = await startProftpd();
  implicit = await startProftpd({ implicit: true });
  fake = await startFakeFtp();
  await rig.setSecret('ftp', server.password);
  await rig.setSecret('wrong', 'canary-of-a-wrong-password');
  const { port, userName: username, certificate } = server;
  const ftps = { type: 'ftps', host: 'localhost', port, username, password: 'secret://ftp' };
  const trusting = { ...ftps, certificateAuthorities: certificate };
  await rig.configure(
    [
      { ...trusting, name: 'acme-ftps', maxConnections: 2, idleTimeoutSeconds: 20 },
      { ...ftps, name: 'pinned', host: '127.0.0.1', certificateFingerprints: [server.fingerprint] },
      {
        ...trusting,
        name: 'implicit',
        port: implicit.port,
        security: 'implicit',
        certificateAuthorities: implicit.certificate,
      },
      { ...ftps, name: 'untrusted' },
      { ...trusting, name: 'other-name', host: '127.0.0.1' },
      { ...ftps, name: 'other-pin', certificateFingerprints: [otherPin] },
      { ...trusting, name: 'wrong-password', password: 'secret://wrong' },
      { ...trusting, name: 'no-tls', port: fake.plainPort },
      { ...trusting, name: 'silent', port: fake.silentPort, connectTimeoutSeconds: 0.5 },
      { ...trusting, name: 'metadata-service', host: '169.254.169.254' },
    ],
    transferActions('ftps', 'acme-ftps'),
  );
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await implicit?.[Symbol.asyncDispose]();
  await fake?.[Symbol.asyncDispose]();
});
let number = 0;
beforeEach(async () => {
  number += 1;
  folder = join(server.folder, String(number));
  await mkdir(folder);
});

describe('ftps-push', () => {
  itPushes(site);

  it('accepts a pinned certificate in place of its authority and name', async () => {
    await rig.platform.deliver('/outbox/pin', Buffer.from('pinned'));
    await rig.run('push-to', 'COMPLETED', { connection: 'pinned', source: '/outbox/pin', target: `${folder}/pin` });
    expect(await readFile(join(folder, 'pin'), 'utf8')).toBe('pinned');
  });

  it('speaks TLS from the first byte if the connection says so', async () => {
    await rig.platform.deliver('/outbox/i', Buffer.from('implicit'));
    const target = join(implicit.folder, 'i');
    await rig.run('push-to', 'COMPLETED', { connection: 'implicit', source: '/outbox/i', target });
    expect(await readFile(target, 'utf8')).toBe('implicit');
  });

  it.each([
    ['a certificate of an unknown authority', 'untrusted', 'self-signed certificate'],
    ['a certificate for another name', 'other-name', "does not match certificate's altnames"],
    ['a certificate that is not pinned', 'other-pin', 'which is not pinned'],
    ['a login that the server refuses', 'wrong-password', 'log in as partner'],
    ['a server without TLS', 'no-tls', 'AUTH is not known here'],
    ['a server that never greets', 'silent', 'no login within 0.5 s'],
    ['the metadata service of a cloud', 'metadata-service', 'destination 169.254.169.254 is not allowed'],
  ])('fails for %s, and says so', async (_, connection, message) => {
    const job = await failedPush(site, connection);
    expect(job.statusMessage).toContain(message);
    expect(JSON.stringify(job)).not.toContain('canary');
  });

  it('sends neither a name nor a password to a server without TLS', () => {
    expect(fake.received()).toBe('AUTH TLS\r\n');
  });
});

describe('ftps-pull', () => {
  itPulls(site, 'grüße mehr.pgp');
});
