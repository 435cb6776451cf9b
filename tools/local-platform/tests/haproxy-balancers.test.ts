import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect as connectPlain, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestTls } from './request-tls.ts';
import { startHaproxy, type TestHaproxy } from './start-haproxy.ts';
import { startPeer, stopPeer } from './start-peer.ts';
import { startTcpPeer, type TcpPeer } from './start-tcp-peer.ts';

const partner = '203.0.113.77';
let peers: Server[];
let gateways: TcpPeer[];
let haproxy: TestHaproxy;
let sockets: Socket[];

beforeEach(async () => {
  peers = [await startPeer(), await startPeer()];
  gateways = [await startTcpPeer(), await startTcpPeer()];
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  peers.forEach(stopPeer);
  for (const gateway of gateways) gateway.stop();
  await haproxy[Symbol.asyncDispose]();
});

async function start(env: Record<string, string> = {}, edit?: (configuration: string) => string): Promise<void> {
  const servers = gateways.map(({ server }) => server);
  haproxy = await startHaproxy(peers, env, servers, edit);
  const address = `http://127.0.0.1:${haproxy.ports.operations}/metrics`;
  const metrics = async () => (await fetch(address)).text();
  const up = /haproxy_server_status\{proxy="http-files",server="peer[12]",state="UP"\} 1/gu;
  await waitFor(async () => (await metrics()).match(up)?.length === 2, { what: 'both peers to be up' });
}

const ask = (headers: Record<string, string> = {}) => requestTls(haproxy.ports.partners, '/2.0/files/a', headers);

async function dial(side: 'partners' | 'sftp', hello?: Buffer): Promise<Socket> {
  const socket = connectPlain(haproxy.ports[side], '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (hello) socket.write(hello);
  return socket;
}

/** Version 2 of the PROXY protocol, TCP over IPv4, from an address and port 50000. */
function proxyHeader(from: string): Buffer {
  const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
  const addresses = [...from.split('.'), ...'127.0.0.1'.split('.')].map(Number);
  return Buffer.concat([signature, Buffer.from([0x21, 0x11, 0, 12, ...addresses, 195, 80, 32, 251])]);
}

/** What the gateways received with the address that HAProxy told them of, once there is something. */
async function arrivals(): Promise<{ from: string; rest: string }[]> {
  const all = (): Buffer[] => gateways.flatMap(({ received }) => received.filter((bytes) => bytes.length >= 28));
  await waitFor(() => all().length > 0, { what: 'a connection at a gateway' });
  return all().map((bytes) => ({ from: [...bytes.subarray(16, 20)].join('.'), rest: bytes.toString('latin1', 28) }));
}

async function askThrough(socket: Socket): Promise<string> {
  const secure = connect({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  secure.write('GET /2.0/files/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return text(secure);
}

describe('version 2 of the PROXY protocol from a trusted balancer', () => {
  beforeEach(() => start({ WAYBILL_PROXY_PROTOCOL_FROM: '127.0.0.1' }));

  it('tells http-files the address of the partner', async () => {
    const answer = await askThrough(await dial('partners', proxyHeader(partner)));
    expect(answer).toContain(`"x-forwarded-for":"${partner}"`);
  });

  it('tells the gateways the address of the partner', async () => {
    await dial('sftp', Buffer.concat([proxyHeader(partner), Buffer.from('SSH-2.0-client\r\n')]));
    await waitFor(async () => (await arrivals())[0]?.rest !== '', { what: 'the first line of the client' });
    expect(await arrivals()).toEqual([{ from: partner, rest: 'SSH-2.0-client\r\n' }]);
  });

  it.each([
    ['nothing of it', Buffer.from('SSH-2.0-client\r\n')],
    ['another signature', Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIX\n', 'latin1'), proxyHeader(partner)])],
    ['an unknown version', Buffer.concat([proxyHeader(partner).fill(0x31, 12, 13), Buffer.from('SSH-2.0-client\r\n')])],
  ])('reaches no gateway with %s', async (_what, hello) => {
    const socket = await dial('sftp', hello);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(gateways.flatMap(({ received }) => received)).toEqual([]);
  });
});

describe('from any other address', () => {
  it('a PROXY header is not believed over HTTPS', async () => {
    await start({ WAYBILL_PROXY_PROTOCOL_FROM: '198.51.100.0/24' });
    await expect(askThrough(await dial('partners', proxyHeader(partner)))).rejects.toThrow(
      /disconnected|ECONNRESET|hang up|wrong version|EPROTO|EPIPE/u,
    );
    expect(JSON.parse((await ask()).text)).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
  });

  it('a PROXY header is not believed over SFTP: the gateway gets it as what the client says', async () => {
    await start({ WAYBILL_PROXY_PROTOCOL_FROM: '198.51.100.0/24' });
    const hello = proxyHeader(partner);
    await dial('sftp', hello);
    await waitFor(async () => (await arrivals())[0]?.rest !== '', { what: 'what the client says' });
    expect(await arrivals()).toEqual([{ from: '127.0.0.1', rest: hello.toString('latin1') }]);
  });

  it('X-Forwarded-For is not believed, neither by http-files nor by the limits', async () => {
    await start({ WAYBILL_FORWARDED_FOR_FROM: '198.51.100.0/24', WAYBILL_REQUEST_RATE: '20' });
    expect(JSON.parse((await ask({ 'x-forwarded-for': partner })).text)).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
    });
    const statuses: unknown[] = [];
    for (let count = 0; count < 30; count++)
      statuses.push((await ask({ 'x-forwarded-for': `203.0.113.${count}` })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('connections to the one side', () => {
  const small = (configuration: string): string =>
    configuration.replace('  maxconn 2000\n', '  maxconn 8\n').replace('  maxconn 1000\n', '  maxconn 5\n');

  it('leave HTTPS open when SFTP has all that it may have', async () => {
    await start({}, small);
    // The others wait in the queue of the listener, which has as many places.
    for (let count = 0; count < 8; count++) await dial('sftp');
    const atGateways = (): number => gateways.reduce((sum, { received }) => sum + received.length, 0);
    await waitFor(() => atGateways() === 5, { what: 'five sessions' });
    expect((await ask()).status).toBe(200);
    // Those that wait are let in when others end, and no earlier.
    expect(atGateways()).toBe(5);
    sockets[0]?.destroy();
    await waitFor(() => atGateways() === 6, { what: 'the sixth session' });
  });

  it('leave SFTP open when HTTPS has all that it may have', async () => {
    await start({}, small);
    const metric = /haproxy_frontend_current_sessions\{proxy="partners"\} (\d+)/u;
    const address = `http://127.0.0.1:${haproxy.ports.operations}/metrics`;
    for (let count = 0; count < 12; count++) await dial('partners');
    await waitFor(async () => metric.exec(await (await fetch(address)).text())?.[1] === '8', {
      what: 'eight sessions',
    });
    await dial('sftp');
    expect(await arrivals()).toEqual([{ from: '127.0.0.1', rest: '' }]);
  });
});

describe('a replica that is gone, before HAProxy knows', () => {
  it('costs no request over HTTPS: another replica answers', async () => {
    await start();
    stopPeer(peers[0] ?? expect.fail());
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('costs no connection over SFTP', async () => {
    await start();
    gateways[0]?.stop();
    for (let count = 0; count < 10; count++) {
      const socket = await dial('sftp');
      const [greeting] = (await once(socket, 'data')) as [Buffer];
      expect(greeting.toString()).toBe('SSH-2.0-peer\r\n');
    }
  });
});
