import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { startCIcap } from '@waybill/test-kit/clamav/start-c-icap';
import { type Clamd, startClamd } from '@waybill/test-kit/clamav/start-clamd';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';

const rig = connectionRig();
const stop = new AsyncDisposableStack();
let clamd: Clamd;

const options = 'ICAP/1.0 200 OK\r\nMethods: RESPMOD\r\nAllow: 204\r\nEncapsulated: null-body=0\r\n\r\n';
const answer = (status: string) => `ICAP/1.0 ${status}\r\nEncapsulated: null-body=0\r\n\r\n`;

/** Scanners that do not do what they should: their answers to OPTIONS and to the scan, and whether they go on. */
const strange: Readonly<Record<string, readonly [string, string]>> = {
  silent: ['', ''],
  'silent-later': [options, ''],
  'not-icap': ['HTTP/1.1 200 OK\r\n\r\n', ''],
  'without-204': [options.replace('Allow: 204', 'Allow: 206'), answer('204 No Content')],
  'without-the-method': [options.replace('RESPMOD', 'REQMOD'), answer('204 No Content')],
  'without-the-service': [answer('404 Service not found'), ''],
  'with-an-error': [options, answer('500 Server error')],
  'with-half-an-answer': [options, 'ICAP/1.0 204 No Con'],
  'with-an-endless-answer': [options, `ICAP/1.0 204 OK\r\nX: ${'x'.repeat(100_000)}`],
  'with-another-answer': [options, answer('206 Partial')],
  'continuing-twice': [options.replace('Allow', 'Preview: 4\r\nAllow'), answer('100 Continue').repeat(2)],
};

beforeAll(async () => {
  clamd = stop.use(await startClamd());
  const { port } = stop.use(await startCIcap(clamd.port));
  const connection = {
    type: 'icap',
    host: '127.0.0.1',
    service: 'avscan',
    idleTimeoutSeconds: 2,
    bytesAtMost: 4_500_000,
  };
  const connections: object[] = [
    { ...connection, name: 'respmod', port, idleTimeoutSeconds: 60 },
    { ...connection, name: 'reqmod', port, method: 'REQMOD', idleTimeoutSeconds: 60 },
    { ...connection, name: 'unknown', port, service: 'nothing', idleTimeoutSeconds: 60 },
    { ...connection, name: 'replacing', port: await listen([options, answer('200 OK')]) },
    { ...connection, name: 'dead', port: 1 },
  ];
  for (const [name, answers] of Object.entries(strange)) {
    connections.push({ ...connection, name, port: await listen(answers) });
  }
  const scan = { connection: '${{ variables.connection }}', source: '/inbox/file' };
  await rig.configure(connections, { scan: { uses: 'virus-scan', with: scan } });
}, 120_000);
afterAll(() => stop.disposeAsync());

async function listen([first, second]: readonly [string, string]): Promise<number> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => socket.write(bytes.toString('latin1').startsWith('OPTIONS') ? first : second));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it.each([
  ['respmod', 0],
  ['respmod', 1],
  ['respmod', 1_024],
  ['respmod', 1_025],
  ['respmod', 4_000_000],
  ['reqmod', 4_000_000],
])('lets c-icap scan a file: %s, %i bytes', async (connection, size) => {
  await rig.platform.deliver('/inbox/file', Buffer.alloc(size, 'abc '));
  const job = await rig.run('scan', 'COMPLETED', { connection });
  expect(job.steps?.[0]?.outputs).toMatchObject({ path: '/inbox/file', size: String(size) });
});

it.each(['respmod', 'reqmod'])('finds a virus: %s', async (connection) => {
  await rig.platform.deliver('/inbox/file', clamd.virus);
  const job = await rig.run('scan', 'ERROR', { connection });
  expect(job.statusMessage).toContain('/inbox/file is infected: Waybill-Test-Virus');
});

it('takes no content that the scanner replaces for clean', async () => {
  await rig.platform.deliver('/inbox/file', Buffer.from('x'));
  const job = await rig.run('scan', 'ERROR', { connection: 'replacing' });
  expect(job.statusMessage).toContain('/inbox/file is infected: the scanner has replaced the content');
});

it('refuses a file that the scanner would let pass because of its size', async () => {
  await rig.platform.deliver('/inbox/file', Buffer.alloc(4_500_001, 'x'));
  const job = await rig.run('scan', 'ERROR', { connection: 'respmod' });
  expect(job.statusMessage).toContain('has more than 4500000 bytes');
});

it.each(['dead', 'unknown', ...Object.keys(strange)])(
  'takes no file for clean if the scanner is %s',
  async (connection) => {
    await rig.platform.deliver('/inbox/file', Buffer.alloc(1_000_000, 'x'));
    const job = await rig.run('scan', 'ERROR', { connection });
    expect(job.statusMessage).toMatch(/the scan |the scanner |ECONNREFUSED/u);
  },
);
