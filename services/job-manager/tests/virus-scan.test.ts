import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { type Clamd, startClamd } from '@waybill/test-kit/clamav/start-clamd';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';

const rig = connectionRig();
const stop = new AsyncDisposableStack();
let clamd: Clamd;

/** Scanners that do not do what they should, by what they do with a connection. */
const strange: Readonly<Record<string, (socket: Socket) => void>> = {
  silent: () => {},
  closing: (socket) => socket.end(),
  garbage: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
  'unclear-answer': (socket) => socket.end('stream: OK, or is it not?\0'),
  'half-an-answer': (socket) => socket.end('stream: '),
  'endless-answer': (socket) => socket.write(Buffer.alloc(100_000, 'x')),
};

beforeAll(async () => {
  clamd = stop.use(await startClamd());
  const connection = { type: 'clamav', host: '127.0.0.1', idleTimeoutSeconds: 2 };
  const connections: object[] = [
    { ...connection, name: 'clamd', port: clamd.port, idleTimeoutSeconds: 30 },
    { ...connection, name: 'dead', port: 1 },
  ];
  for (const [name, behave] of Object.entries(strange)) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.resume();
      behave(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop.defer(() => void server.close());
    connections.push({ ...connection, name, port: (server.address() as AddressInfo).port });
  }
  const scan = { connection: '${{ variables.connection }}', source: '/inbox/file' };
  await rig.configure(connections, {
    scan: { uses: 'virus-scan', with: scan },
    'scan-twice': { uses: 'virus-scan', with: scan, retry: { attempts: 2, delaySeconds: 0 } },
  });
}, 120_000);
afterAll(() => stop.disposeAsync());

it.each([0, 1, 4_000_000])('lets clamd scan a file of %i bytes', async (size) => {
  await rig.platform.deliver('/inbox/file', Buffer.alloc(size, 'abc'));
  const job = await rig.run('scan', 'COMPLETED', { connection: 'clamd' });
  expect(job.steps?.[0]?.outputs).toMatchObject({ path: '/inbox/file', size: String(size) });
});

it('fails for an infected file with the name of the virus, and does not try again', async () => {
  await rig.platform.deliver('/inbox/file', clamd.virus);
  const job = await rig.run('scan-twice', 'ERROR', { connection: 'clamd' });
  expect(job.statusMessage).toContain('/inbox/file is infected: Waybill-Test-Virus');
  expect(job.steps?.[0]?.attempts).toBe(1);
});

it('fails for a file that is larger than the scanner takes: it is not clean because it was not scanned', async () => {
  await rig.platform.deliver('/inbox/file', Buffer.alloc(30_000_000, 'x'));
  const job = await rig.run('scan', 'ERROR', { connection: 'clamd' });
  expect(job.statusMessage).toMatch(/clamd: the scan/u);
});

it('tries again while the scanner is down', async () => {
  await rig.platform.deliver('/inbox/file', Buffer.from('x'));
  const job = await rig.run('scan-twice', 'ERROR', { connection: 'dead' });
  expect(job.statusMessage).toContain('ECONNREFUSED');
  expect(job.steps?.[0]?.attempts).toBe(2);
});

it.each(Object.keys(strange))('takes no file for clean if the scanner is %s', async (connection) => {
  await rig.platform.deliver('/inbox/file', Buffer.alloc(1_000_000, 'x'));
  const job = await rig.run('scan', 'ERROR', { connection });
  expect(job.statusMessage).toContain(`${connection}: the scan`);
});
