import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ChannelClient, requestUserauth, userauthRequest } from './channel-client.ts';
import { HandshakeClient, message, string } from './handshake-client.ts';
import { metricOf } from './metric-of.ts';
import { oneGateway } from './test-gateways.ts';

const megabyte = 1024 * 1024;
const peer = oneGateway({ env: { SFTP_KEEPALIVE_SECONDS: '600', SFTP_KEY_EXCHANGES_PER_ADDRESS: '1000' } });

async function exchanged(): Promise<HandshakeClient> {
  const client = await HandshakeClient.open(peer.gateway.sftpPort);
  await client.exchangeKeys();
  return client;
}

const refusedConnections = (url: string, reason: string) =>
  metricOf(url, 'waybill_sftp_refused_connections_total', { reason });
const exchangesBegunBy = (url: string, origin: string) => metricOf(url, 'waybill_sftp_key_exchanges_total', { origin });

async function goodbyeOf(client: HandshakeClient): Promise<string> {
  const goodbye = await client.receive(message.disconnect);
  await client.closed();
  return goodbye.toString('utf8', 9);
}

/** Sends bytes in IGNORE messages. */
function sendIgnored(client: HandshakeClient, bytes: number): void {
  const part = Buffer.concat([Buffer.of(message.ignore), string(Buffer.alloc(32_000))]);
  for (let sent = 0; sent < bytes; sent += part.length) client.send(part);
}

describe('before the login, keys are exchanged once', () => {
  it.each<[string, (client: HandshakeClient) => Promise<unknown>]>([
    ['at once', () => Promise.resolve()],
    ['with the service under way', (client) => requestUserauth(client)],
    [
      'after a failed try',
      async (client) => {
        await requestUserauth(client);
        client.send(userauthRequest('globex', 'password', Buffer.of(0), string('wrong')));
        await client.receive(message.userauthFailure);
      },
    ],
  ])('a second KEXINIT ends the connection: %s', async (_when, prepare) => {
    const before = await refusedConnections(peer.gateway.httpUrl, 'key_renewal');
    await using client = await exchanged();
    await prepare(client);
    client.sendKexInit();
    expect(await goodbyeOf(client)).toContain('Log in before you renew the keys');
    const after = await refusedConnections(peer.gateway.httpUrl, 'key_renewal');
    expect(after).toBe(before + 1);
  });

  it('a thousand at once are answered once', async () => {
    const before = await exchangesBegunBy(peer.gateway.httpUrl, 'login');
    await using client = await exchanged();
    for (let times = 0; times < 1_000; times += 1) client.sendKexInit();
    expect(await goodbyeOf(client)).toContain('Log in before');
    const after = await exchangesBegunBy(peer.gateway.httpUrl, 'login');
    expect(after).toBe(before + 1);
  });
});

describe('after the login, a client renews keys at a limited rate', () => {
  it('four times at once, and no fifth time', async () => {
    await using client = await ChannelClient.logIn(peer.gateway.sftpPort);
    for (let times = 0; times < 4; times += 1) await client.transport.exchangeKeys();
    expect(await client.open({ id: 1 })).toEqual({ remoteId: 0 });
    client.transport.sendKexInit();
    expect(await goodbyeOf(client.transport)).toContain('The keys are renewed too often');
  });

  it('once more for each 512 KiB', async () => {
    await using client = await ChannelClient.logIn(peer.gateway.sftpPort);
    for (let times = 0; times < 4; times += 1) await client.transport.exchangeKeys();
    for (let times = 0; times < 2; times += 1) {
      sendIgnored(client.transport, megabyte / 2);
      await client.transport.exchangeKeys();
    }
    client.transport.sendKexInit();
    expect(await goodbyeOf(client.transport)).toContain('The keys are renewed too often');
  });

  it('one that begins and then sends nothing is disconnected', async () => {
    await using client = await ChannelClient.logIn(peer.gateway.sftpPort);
    client.transport.sendKexInit();
    await client.transport.receive(message.kexInit);
    await expect(client.transport.closed(40_000)).resolves.toBeUndefined();
  });

  it('renewals by the server are not counted', async () => {
    await using renewing = await peer.rig.start('renewing', {
      SFTP_REKEY_MEGABYTES: '1',
      SFTP_KEEPALIVE_SECONDS: '600',
    });
    await using client = await ChannelClient.logIn(renewing.sftpPort);
    for (let times = 0; times < 6; times += 1) {
      sendIgnored(client.transport, 2 * megabyte);
      await client.transport.exchangeKeys('theirs');
    }
    expect(await client.open({ id: 1 })).toEqual({ remoteId: 0 });
    expect(await exchangesBegunBy(renewing.httpUrl, 'server')).toBe(6);
    for (let times = 0; times < 4; times += 1) await client.transport.exchangeKeys();
    expect(await exchangesBegunBy(renewing.httpUrl, 'client')).toBe(4);
  });
});

describe('exchanges that lead to no login, from one address', () => {
  const attacker = '127.0.0.5';
  const start = (peerName: string, more = {}) =>
    peer.rig.start(peerName, { SFTP_KEY_EXCHANGES_PER_ADDRESS: '10', ...more });
  const refused = async (port: number, localAddress: string): Promise<boolean> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    const [line] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return line.toString().includes('Too many key exchanges without a login');
  };

  /**
   * The number of repetitions until the address is refused. Some budget is recovered meanwhile, and counting takes a
   * moment.
   */
  const timesUntilRefused = async (port: number, exchange: () => Promise<unknown>): Promise<number> => {
    for (let times = 0; times < 40; times += 1) {
      if (await refused(port, attacker)) return times;
      try {
        await exchange();
      } catch (error) {
        // The previous exchange may be counted only now.
        if (await refused(port, attacker)) return times;
        throw error;
      }
    }
    throw new Error('the address was never refused');
  };

  it('are refused beyond a number, and other addresses can still log in', async () => {
    await using limited = await start('limited');
    const times = await timesUntilRefused(limited.sftpPort, async () => {
      await using client = await HandshakeClient.open(limited.sftpPort, attacker);
      await client.exchangeKeys();
    });
    expect(times).toBeGreaterThanOrEqual(10);
    expect(await refusedConnections(limited.httpUrl, 'key_exchanges')).toBe(1);
    await using other = await ChannelClient.logIn(limited.sftpPort, 'globex', '127.0.0.6');
    expect(await other.open({ id: 1 })).toEqual({ remoteId: 0 });
  });

  it.each([
    ['ecdh-sha2-nistp521', 2, 5],
    ['diffie-hellman-group16-sha512', 3, 6],
    ['curve25519-sha256', 10, 40],
  ])('count by their cost, even if the client disconnects half-way: %s', async (kex, least, most) => {
    await using limited = await start('weighed');
    const { publicKey } = generateKeyPairSync('x25519');
    const init = string(publicKey.export({ type: 'spki', format: 'der' }));
    const times = await timesUntilRefused(limited.sftpPort, async () => {
      await using client = await HandshakeClient.open(limited.sftpPort, attacker);
      await client.receive(message.kexInit);
      client.sendKexInit(kex);
      client.send(Buffer.concat([Buffer.of(message.kexEcdhInit), init]));
      await client.receiveAny();
    });
    expect(times).toBeGreaterThanOrEqual(least);
    expect(times).toBeLessThanOrEqual(most);
  });

  it('count even without a common method', async () => {
    await using limited = await start('disagreeing');
    const times = await timesUntilRefused(limited.sftpPort, async () => {
      await using client = await HandshakeClient.open(limited.sftpPort, attacker);
      client.sendKexInit('diffie-hellman-group18-sha512');
      await client.closed();
    });
    expect(times).toBeGreaterThanOrEqual(10);
  });

  it('those of logins are not counted', async () => {
    await using limited = await start('logins');
    for (let times = 0; times < 15; times += 1) {
      await using client = await ChannelClient.logIn(limited.sftpPort, 'globex', attacker);
      await client.transport.exchangeKeys();
    }
    expect(await refused(limited.sftpPort, attacker)).toBe(false);
  });

  it('those of an exempt network are not counted', async () => {
    await using limited = await start('exempt', { SFTP_BAN_EXEMPT: '127.0.0.0/8' });
    for (let times = 0; times < 15; times += 1) {
      await using client = await HandshakeClient.open(limited.sftpPort, attacker);
      await client.exchangeKeys();
    }
    expect(await refused(limited.sftpPort, attacker)).toBe(false);
  });
});

describe('Diffie-Hellman with 8192 bits', () => {
  it('is not offered, and not agreed on', async () => {
    await using client = await HandshakeClient.open(peer.gateway.sftpPort);
    const offer = await client.receive(message.kexInit);
    expect(offer.toString('latin1')).not.toContain('group18');
    client.sendKexInit('diffie-hellman-group18-sha512');
    expect((await client.receive(message.disconnect)).readUInt32BE(1)).toBe(3);
    await client.closed();
  });
});
