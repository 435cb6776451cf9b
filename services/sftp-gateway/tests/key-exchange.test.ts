import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { Client, type SFTPWrapper } from 'ssh2';
import { describe, expect, it } from 'vitest';
import { ChannelClient } from './channel-client.ts';
import { HandshakeClient, message, string } from './handshake-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

const login = (more: Parameters<typeof runSftp>[0]['sshOptions'] = {}, commands = ['pwd']) =>
  runSftp({ port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo', commands, sshOptions: more });

describe('mlkem768x25519-sha256', () => {
  it('is the first choice of the server', async () => {
    await using client = await HandshakeClient.open(peer.gateway.sftpPort);
    const offer = await client.receive(message.kexInit);
    expect(offer.toString('latin1', 21).startsWith('mlkem768x25519-sha256,curve25519-sha256,')).toBe(true);
  });

  it('gives both sides the same keys, and so do the exchanges after it', async () => {
    const hashes = new Set<string>();
    // Each exchange runs under the keys of the previous one. Secrets whose first bit is 1 would reveal an mpint in
    // place of the string.
    for (let login = 0; login < 3; login += 1) {
      await using client = await ChannelClient.logIn(peer.gateway.sftpPort);
      for (let exchange = 0; exchange < 4; exchange += 1) {
        hashes.add((await client.transport.exchangeKeys()).toString('hex'));
        expect(await client.open({ id: exchange })).toEqual({ remoteId: exchange });
      }
    }
    expect(hashes.size).toBe(12);
  });

  it('is renewed in the middle of transfers by the server', async () => {
    await using renewing = await peer.rig.start('renewing', { SFTP_REKEY_MEGABYTES: '1' });
    let exchanges = 0;
    const client = new Client();
    client.on('handshake', ({ kex }: { kex: string }) => (exchanges += kex === 'mlkem768x25519-sha256' ? 1 : 0));
    const content = randomBytes(8 * 1024 * 1024);
    const local = join(peer.rig.folder, 'renewed');
    await writeFile(local, content);
    await new Promise((resolve, reject) => {
      client.on('ready', () => resolve(undefined)).on('error', reject);
      const kex: unknown = ['mlkem768x25519-sha256'];
      client.connect({
        port: renewing.sftpPort,
        host: '127.0.0.1',
        username: 'globex',
        password: 'globex-demo',
        algorithms: { kex: kex as [] },
      });
    });
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.sftp((error, opened) => (error === undefined ? resolve(opened) : reject(error)));
    });
    const put = (remote: string) =>
      new Promise((resolve, reject) => {
        sftp.fastPut(local, remote, (error) => (error ? reject(error) : resolve(undefined)));
      });
    let round = 0;
    const renewed = async () => {
      await put(`/data/renewed-${(round += 1)}`);
      return exchanges >= 3;
    };
    expect(await waitFor(renewed, { what: 'two renewals', timeoutMs: 15_000 })).toBe(true);
    client.end();
  });
});

describe('a key exchange with an invalid key', () => {
  const mlkem = () =>
    generateKeyPairSync('ml-kem-768').publicKey.export({ type: 'spki', format: 'der' }).subarray(-1184);
  const x25519 = () => generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);

  it.each<[string, () => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['a byte too short', () => Buffer.concat([mlkem(), x25519()]).subarray(1)],
    ['a byte too long', () => Buffer.concat([mlkem(), x25519(), Buffer.of(0)])],
    ['the ML-KEM key alone', () => mlkem()],
    ['the X25519 key alone', () => x25519()],
    ['30 KiB', () => Buffer.alloc(30 * 1024, 1)],
    ['ML-KEM coefficients above the modulus', () => Buffer.concat([Buffer.alloc(1184, 0xff), x25519()])],
    ['one coefficient at the modulus', () => Buffer.concat([withModulus(mlkem()), x25519()])],
    ['an X25519 key of zeros', () => Buffer.concat([mlkem(), Buffer.alloc(32)])],
    ['an X25519 key of small order', () => Buffer.concat([mlkem(), Buffer.alloc(32).fill(1, 0, 1)])],
  ])('ends cleanly: %s', async (_name, init) => {
    await using client = await HandshakeClient.open(peer.gateway.sftpPort);
    client.sendKexInit();
    await client.receive(message.kexInit);
    client.send(Buffer.concat([Buffer.of(message.kexEcdhInit), string(init())]));
    const goodbye = await client.receive(message.disconnect);
    expect(goodbye.readUInt32BE(1)).toBe(3);
    await client.closed();
    expect(await login()).toMatchObject({ exitCode: 0 });
  });

  it('a string that is longer than its packet', async () => {
    await using client = await HandshakeClient.open(peer.gateway.sftpPort);
    client.sendKexInit();
    await client.receive(message.kexInit);
    client.send(Buffer.of(message.kexEcdhInit, 0x7f, 0xff, 0xff, 0xff, 1));
    expect((await client.receive(message.disconnect)).readUInt32BE(1)).toBeGreaterThan(0);
    await client.closed();
  });
});

describe('strict key exchange', () => {
  it('accepts no packet out of place, which is how the Terrapin attack begins', async () => {
    await using client = await HandshakeClient.open(peer.gateway.sftpPort);
    client.sendKexInit();
    await client.receive(message.kexInit);
    client.send(Buffer.concat([Buffer.of(message.ignore), string('')]));
    expect((await client.receive(message.disconnect)).readUInt32BE(1)).toBeGreaterThan(0);
    await client.closed();
  });

  it('accepts no packet before the offer either', async () => {
    await using client = await HandshakeClient.open(peer.gateway.sftpPort);
    client.send(Buffer.concat([Buffer.of(message.ignore), string('')]));
    client.sendKexInit();
    await client.receive(message.kexInit);
    expect((await client.receive(message.disconnect)).readUInt32BE(1)).toBeGreaterThan(0);
    await client.closed();
  });

  it('is what the client of OpenSSH and the server agree on', async () => {
    const { stderr, exitCode } = await login({ LogLevel: 'DEBUG3' });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/will use strict KEX ordering/u);
    expect(stderr).toMatch(/resetting send seqnr/u);
    expect(stderr).toMatch(/resetting read seqnr/u);
  });
});

/** The first two coefficients, of 12 bits each, with 3329 as the first (FIPS 203, section 4.2.1). */
function withModulus(key: Buffer): Buffer {
  const changed = Buffer.from(key);
  changed[0] = 3329 & 0xff;
  changed[1] = ((changed[1] ?? 0) & 0xf0) | (3329 >> 8);
  return changed;
}
