import { once } from 'node:events';
import { connect } from 'node:net';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { describe, expect, it } from 'vitest';
import { balancerAddress, logInFrom, proxyHeaderOf } from './balanced-login.ts';
import type { RunningGateway } from './gateway-rig.ts';
import { twoGateways } from './test-gateways.ts';

const peers = twoGateways({
  env: {
    SFTP_LOGIN_FAILURES_PER_USER: '2',
    SFTP_LOGIN_FAILURES_PER_ADDRESS: '4',
    SFTP_PROXY_PROTOCOL_FROM: `${balancerAddress}/32`,
  },
});

const logIn = (gateway: RunningGateway, from: string, password?: string, user?: string) =>
  logInFrom({ port: gateway.sftpPort, from, password, user });

const ask = (method: 'GET' | 'DELETE', address = '') => {
  const path = '/platform-application/api/v1/infrastructure/login-bans';
  return createHttpClient(peers.second.httpUrl).request(
    method,
    `${path}${address && `/${encodeURIComponent(address)}`}`,
    {
      bearer: peers.rig.tokenOf('Administrators'),
    },
  );
};

describe('a client that fails to log in too often', () => {
  it('over IPv6 is banned with the network of its address, and any address of it lifts the ban', async () => {
    const hosts = ['2001:db9:5:6::1', '2001:db9:5:6::2', '2001:db9:5:6:ffff::3', '2001:db9:5:6:1:2:3:4'];
    for (const [index, host] of hosts.entries()) {
      expect(await logIn(peers.first, host, 'wrong', `name${index}`)).toBe('refused');
    }
    expect(await logIn(peers.second, '2001:db9:5:6:aaaa::1')).toBe('Too many failed logins: try again later\r\n');
    expect(await logIn(peers.second, '2001:db9:5:7::1')).toBe('in');
    const ban = { door: 'sftp', address: '2001:db9:5:6::/64', userName: null };
    expect((await ask('GET')).json()).toMatchObject({ bans: expect.arrayContaining([expect.objectContaining(ban)]) });
    expect((await ask('DELETE', '2001:DB9:5:6::9')).json()).toMatchObject({ bans: [ban] });
    expect(await logIn(peers.second, '2001:db9:5:6:aaaa::1')).toBe('in');
    for (const [index, host] of hosts.entries()) await logIn(peers.first, host, 'wrong', `other${index}`);
    expect((await ask('DELETE', '2001:db9:5:6::/64')).json()).toMatchObject({ bans: [ban] });
  });

  it('with an IPv4-mapped IPv6 address is banned as IPv4', async () => {
    for (const user of ['a', 'b', 'c', 'd']) {
      expect(await logIn(peers.first, '::ffff:a09:909', 'wrong', user)).toBe('refused');
    }
    expect(await logIn(peers.second, '10.9.9.9')).toBe('Too many failed logins: try again later\r\n');
    expect((await ask('DELETE', '::ffff:10.9.9.9')).json()).toMatchObject({ bans: [{ address: '10.9.9.9' }] });
  });

  it('in several Unicode forms of a name has failed for one user', async () => {
    expect(await logIn(peers.first, '10.9.1.1', 'wrong', 'm\u00fcller')).toBe('refused');
    expect(await logIn(peers.second, '10.9.1.1', 'wrong', 'mu\u0308ller')).toBe('refused');
    expect(await logIn(peers.first, '10.9.1.1', 'wrong', 'm\u00fcller')).toMatch(
      /Too many failed logins: try again in/u,
    );
    expect((await ask('DELETE', '10.9.1.1')).json()).toMatchObject({ bans: [{ userName: 'm\u00fcller' }] });
  });

  it.each([
    ['a name with very many combining marks', `a${'\u0345'.repeat(6_000)}${'\u0334'.repeat(6_000)}`],
    ['a name with control characters', 'glo\u0007bex\r\n'],
  ])('with %s is refused like any other', async (_what, user) => {
    expect(await logIn(peers.first, '10.9.2.2', 'wrong', user)).toBe('refused');
  });

  it('cannot claim an address unless it is a balancer', async () => {
    const socket = connect({ port: peers.first.sftpPort, host: '127.0.0.1', localAddress: '127.0.0.3' });
    let greeting = '';
    socket.on('data', (chunk: Buffer) => (greeting += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.write(proxyHeaderOf('10.9.9.10'));
    await once(socket, 'close');
    // A line that is not SSH ends the connection.
    expect(greeting).not.toContain('SSH_MSG');
    expect((await peers.rig.audited()).filter(({ auditMessage }) => auditMessage.includes('10.9.9.10'))).toEqual([]);
  });

  it.each([
    ['without a header', Buffer.from('SSH-2.0-Balancer\r\n')],
    ['with version 1 of the header', Buffer.from('PROXY TCP4 10.9.9.11 127.0.0.1 1 2\r\n')],
    ['with two headers', Buffer.concat([proxyHeaderOf('10.9.9.11'), proxyHeaderOf('10.9.9.12')])],
  ])('is disconnected if its balancer sends %s', async (_what, bytes) => {
    const socket = connect({ port: peers.first.sftpPort, host: '127.0.0.1', localAddress: balancerAddress });
    socket.on('error', () => {});
    socket.resume();
    socket.write(bytes);
    await once(socket, 'close');
    expect(socket.bytesWritten).toBe(bytes.length);
  });
});

describe('a user with networks', () => {
  it('logs in from these alone, by the address that the PROXY protocol reports', async () => {
    const define = (definition: string) =>
      peers.rig.database.query(`UPDATE directory.partner_users SET definition = ${definition} WHERE name = 'globex'`);
    await define(`definition || '{"networks": ["192.0.2.0/25", "2001:db8:77::/48"]}'`);
    try {
      const outcomes: string[] = [];
      for (const from of ['192.0.2.1', '192.0.2.129', '2001:db8:77::1', '2001:db8:78::1']) {
        outcomes.push(await logIn(peers.first, from));
      }
      expect(outcomes).toEqual(['in', 'refused', 'in', 'refused']);
    } finally {
      await define(`definition - 'networks'`);
    }
    expect(await logIn(peers.first, '192.0.2.129')).toBe('in');
  });
});
