import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { isAlive, startGatewayProcess } from './start-gateway-process.ts';

const content = Buffer.alloc(400_000, 'b');
let rig: GatewayRig;

beforeAll(async () => {
  rig = await createGatewayRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const start = (peerName: string, shutdownSeconds: number) =>
  startGatewayProcess({
    ...rig.environmentOf(peerName),
    SFTP_PROCESSES: '2',
    SHUTDOWN_TIMEOUT_SECONDS: String(shutdownSeconds),
  });

const stored = (name: string) =>
  rig.database.query('select size::int as size from filebox.entries where name = $1', [name]);

/** The error code with which a port refuses, or undefined if it accepts the connection. */
async function refusalOf(port: number): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

describe('a gateway of several processes that stops', () => {
  it('accepts no new connection, lets transfers end in each process, and ends with code 0 and no process left', async () => {
    const gateway = await start('peer1', 20);
    const processes = [...(await gateway.processes()).values()];
    // Connections are assigned in turn: one transfer in each process.
    const clients = await Promise.all([1, 2].map(() => connectRawSftp({ port: gateway.sftpPort, user: 'globex' })));
    const idle = await connectRawSftp({ port: gateway.sftpPort, user: 'acme' });
    const handles = [];
    for (const [index, client] of clients.entries()) {
      handles.push(await beginUpload(client, `/data/drained${index}`, content.subarray(0, 200_000)));
    }
    process.kill(-(gateway.child.pid ?? 0), 'SIGTERM');
    await idle.closed;
    await expect.poll(() => refusalOf(gateway.sftpPort)).toBe('ECONNREFUSED');
    const data = content.subarray(200_000);
    for (const [index, client] of clients.entries()) {
      const handle = handles[index] ?? Buffer.alloc(0);
      expect(await client.ask({ type: 'write', id: 2, handle, offset: 200_000, data })).toMatchObject({ code: 0 });
      expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ code: 0 });
      await client.closed;
    }
    await gateway.exited;
    expect(gateway.child.exitCode).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
    expect([...(await stored('drained0')), ...(await stored('drained1'))]).toEqual([
      { size: content.length },
      { size: content.length },
    ]);
  });

  it('ends transfers that exceed the time, keeps their bytes, and still ends with code 0', async () => {
    const gateway = await start('peer2', 10);
    const client = await connectRawSftp({ port: gateway.sftpPort, user: 'globex' });
    await beginUpload(client, '/data/endless', content);
    gateway.child.kill('SIGTERM');
    await client.closed;
    await gateway.exited;
    expect(gateway.child.exitCode).toBe(0);
    expect(await stored('endless')).toEqual([]);
    await using other = await rig.start('peer3');
    await using again = await connectRawSftp({ port: other.sftpPort, user: 'globex' });
    const seen = await again.ask({ type: 'lstat', id: 1, path: Buffer.from('/data/endless') });
    expect(seen).toMatchObject({ type: 'attrs', attributes: { size: content.length } });
  });
});
