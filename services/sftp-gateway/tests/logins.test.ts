import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp, type SftpScript } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { Client } from 'ssh2';
import { describe, expect, it } from 'vitest';
import { metricOf } from './metric-of.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway({
  env: {
    SFTP_LOGIN_GRACE_SECONDS: '2',
    SFTP_MAX_UNAUTHENTICATED: '40',
    SFTP_PROXY_PROTOCOL_FROM: '127.0.0.2/32',
  },
});

const login = (more: Partial<SftpScript> = {}) =>
  runSftp({ port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo', commands: ['pwd'], ...more });

/** How many connections were closed because they did not log in in time. */
const endsOfGraceTime = () =>
  metricOf(peer.gateway.httpUrl, 'waybill_sftp_refused_connections_total', { reason: 'login_grace' });

async function openSocket(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: peer.gateway.sftpPort, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** What the server sends before it waits for the client, as text: its banner and its KEXINIT. */
async function greetingOf(socket: Socket, hello: Buffer | string): Promise<string> {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.write(hello);
  await waitFor(() => received.includes('kex-strict-s-v00@openssh.com') && received.length > 500, {
    what: 'the offer of the server',
  });
  return received.toString('latin1');
}

describe('logins', () => {
  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['a user that does not exist', { user: 'nobody' }],
    ['a manager', { user: 'admin', password: 'admin-demo' }],
    ['an empty password', { password: '' }],
  ])('not with %s', async (_name, more) => {
    const outcome = await login(more);
    expect(outcome.exitCode).toBe(255);
    expect(outcome.stderr).toMatch(/Permission denied|closed/u);
  });

  it('failed attempts are audited, under the name that was tried', async () => {
    await login({ user: 'mallory', password: 'guess' });
    const facts = (await peer.rig.audited()).filter(({ dataoneUser }) => dataoneUser === 'mallory');
    expect(facts.map(({ auditMessage }) => auditMessage)).toContain('User mallory failed to log in');
  });

  it('a connection is ended after its third failed attempt', async () => {
    await using patient = await peer.rig.start('patient');
    const more = { user: 'acme', password: 'wrong', sshOptions: { NumberOfPasswordPrompts: '9' } };
    const outcome = await login({ ...more, port: patient.sftpPort });
    expect(outcome.stderr).toMatch(/Received disconnect.*Too many failed logins/u);
    const tries = (await peer.rig.audited()).filter(
      ({ dataoneUser, auditMessage }) => dataoneUser === 'acme' && auditMessage.includes('failed to log in'),
    );
    expect(tries).toHaveLength(3);
  });

  it('guessing is slow: each failed attempt is answered after 300 ms at the earliest', async () => {
    await using patient = await peer.rig.start('slow');
    const client = new Client();
    client.on('error', () => {});
    const closed = once(client, 'close');
    const guess = { type: 'password', username: 'globex', password: 'wrong' } as const;
    const began = performance.now();
    const authHandler = [guess, guess, guess];
    client.connect({ host: '127.0.0.1', port: patient.sftpPort, username: 'globex', authHandler });
    await closed;
    // A timer may be a millisecond early by another clock.
    expect(performance.now() - began).toBeGreaterThan(3 * 299);
  });
});

describe('before a login', () => {
  it('a silent connection is closed after the grace time, even after its banner', async () => {
    for (const hello of ['', 'SSH-2.0-Silent\r\n']) {
      const before = await endsOfGraceTime();
      const socket = await openSocket();
      const began = performance.now();
      socket.resume().write(hello);
      await once(socket, 'close');
      expect(performance.now() - began).toBeGreaterThan(1_500);
      expect(await endsOfGraceTime()).toBe(before + 1);
    }
  });

  it('a flood from one address finds its places taken, and others still get in', async () => {
    const sockets = await Promise.all(Array.from({ length: 60 }, () => openSocket('127.0.0.3')));
    let cut = 0;
    for (const socket of sockets) socket.resume().on('close', () => (cut += 1));
    await waitFor(() => cut >= 50, { what: 'all but ten of the flood to be cut' });
    expect(await login()).toMatchObject({ exitCode: 0 });
    for (const socket of sockets) socket.destroy();
  });

  it('offers nothing with SHA-1, no CBC, and strict key exchange', async () => {
    const socket = await openSocket();
    const offer = await greetingOf(socket, 'SSH-2.0-Test\r\n');
    socket.destroy();
    expect(offer).toMatch(/^SSH-2\.0-Waybill\r\n/u);
    expect(offer).toContain('kex-strict-s-v00@openssh.com');
    expect(offer).toContain('ssh-ed25519,ecdsa-sha2-nistp256');
    expect(offer).not.toMatch(/sha1|ssh-rsa|-cbc|md5|arcfour|zlib/u);
  });

  it.each([
    ['aes256-ctr with hmac-sha2-512', { Ciphers: 'aes256-ctr', MACs: 'hmac-sha2-512' }],
    ['chacha20-poly1305', { Ciphers: 'chacha20-poly1305@openssh.com' }],
    ['an ECDSA host key', { HostKeyAlgorithms: 'ecdsa-sha2-nistp256' }],
    ['a classic key exchange', { KexAlgorithms: 'diffie-hellman-group16-sha512' }],
  ])('speaks %s', async (_name, sshOptions) => {
    expect(await login({ sshOptions })).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['aes128-cbc', { Ciphers: 'aes128-cbc' }],
    ['hmac-sha1', { Ciphers: 'aes128-ctr', MACs: 'hmac-sha1' }],
    ['diffie-hellman-group14-sha1', { KexAlgorithms: 'diffie-hellman-group14-sha1' }],
  ])('does not offer %s', async (_name, sshOptions) => {
    const outcome = await login({ sshOptions });
    expect(outcome.stderr).toMatch(/closed|no matching/u);
    expect(outcome.exitCode).toBe(255);
  });
});

describe('after a login', () => {
  it.each([
    ['a shell', []],
    ['a command', ['id']],
  ])('%s is refused with a message', async (_name, command) => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'PreferredAuthentications=password'];
    const child = spawn(
      'ssh',
      ['-F', '/dev/null', '-p', String(peer.gateway.sftpPort), ...options.flatMap((option) => ['-o', option])].concat(
        'globex@127.0.0.1',
        command,
      ),
      {
        env: {
          ...process.env,
          SSH_ASKPASS: new URL('../../../packages/test-kit/src/askpass.sh', import.meta.url).pathname,
          SSH_ASKPASS_REQUIRE: 'force',
          WAYBILL_TEST_PASSWORD: 'globex-demo',
        },
      },
    );
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [exitCode] = (await once(child, 'close')) as [number];
    expect(stderr).toContain('This server offers SFTP only');
    expect(exitCode).toBe(1);
  });

  it('an eleventh channel is refused', async () => {
    await using client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
    const openings = Array.from(
      { length: 12 },
      () =>
        new Promise<boolean>((resolve) => client.connection.subsys('sftp', (error) => resolve(error === undefined))),
    );
    expect((await Promise.all(openings)).filter(Boolean)).toHaveLength(9);
  });
});

describe('behind a load balancer', () => {
  const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
  const header = (address: number[], port: number) => {
    const bytes = Buffer.alloc(28);
    bytes.set(signature);
    bytes.set([0x21, 0x11, 0, 12, ...address, 127, 0, 0, 1], 12);
    bytes.writeUInt16BE(port, 24);
    return bytes;
  };
  const ipv6 = Buffer.concat([
    signature,
    Buffer.from([0x21, 0x21, 0, 36]),
    Buffer.from('20010db8000000000000000000000001', 'hex'),
    Buffer.alloc(16),
    Buffer.from([4711 >> 8, 4711 & 0xff, 0, 22]),
  ]);

  it.each([
    ['IPv4', header([10, 1, 2, 3], 4711), '/10.1.2.3:4711'],
    ['IPv6', ipv6, '/[2001:db8::1]:4711'],
  ])('a trusted one passes the %s address of the client', async (_kind, sent, clientIp) => {
    const socket = await openSocket('127.0.0.2');
    socket.write(sent);
    const client = new Client();
    client.connect({ sock: socket, username: 'globex', password: 'globex-demo' });
    await once(client, 'ready');
    const { json } = await createHttpClient(peer.gateway.httpUrl).post(
      '/platform-application/api/v1/infrastructure/clusters/server-sessions/query',
      {
        json: { clusterName: 'cluster1', peerName: 'peer1', protocol: 'SFTP', serverName: 'sftp-server' },
        bearer: peer.rig.tokenOf('Users'),
      },
    );
    expect(json()).toContainEqual(expect.objectContaining({ clientIp, clientPort: '4711' }));
    client.end();
    await once(client, 'close');
  });

  it('a health check of a trusted one is greeted, however it is split', async () => {
    const socket = await openSocket('127.0.0.2');
    const check = Buffer.concat([signature, Buffer.from([0x20, 0, 0, 0])]);
    socket.write(check.subarray(0, 14));
    // Nothing shows that the gateway has read the first part, which it must not respond to.
    await delay(50);
    socket.write(check.subarray(14));
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    expect(greeting.toString('latin1')).toMatch(/^SSH-2\.0-/u);
    socket.destroy();
  });

  it('a trusted one without a header is disconnected', async () => {
    const before = await endsOfGraceTime();
    const socket = await openSocket('127.0.0.2');
    socket.resume().write('SSH-2.0-NoHeader\r\n');
    await once(socket, 'close');
    expect(await endsOfGraceTime()).toBe(before);
  });

  it('a header from any other address is not SSH, and is not believed', async () => {
    const before = await endsOfGraceTime();
    const socket = await openSocket('127.0.0.1');
    socket.resume().write(header([10, 1, 2, 3], 4711));
    socket.write('SSH-2.0-X\r\n');
    await once(socket, 'close');
    expect(await endsOfGraceTime()).toBe(before);
  });
});
