import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';
import { waitUntilStill } from './wait-until-still.ts';

const megabyte = 1024 * 1024;
const peer = oneGateway({ env: { SFTP_KEEPALIVE_SECONDS: '1', SFTP_REKEY_MEGABYTES: '1' } });

async function openSessions(): Promise<unknown> {
  const { json } = await createHttpClient(peer.gateway.httpUrl).post(
    '/platform-application/api/v1/infrastructure/clusters/server-sessions/query',
    {
      json: { clusterName: 'cluster1', peerName: 'peer1', protocol: 'SFTP', serverName: 'sftp-server' },
      bearer: peer.rig.tokenOf('Users'),
    },
  );
  return json();
}

describe('a client that is gone, or must be disconnected', () => {
  it('is ended when it no longer answers keepalives', async () => {
    const client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
    const { socket } = client;
    socket.pause();
    expect(await openSessions()).toHaveLength(1);
    const gone = waitFor(async () => JSON.stringify(await openSessions()) === '[]', {
      what: 'the session to be ended',
      intervalMs: 200,
    });
    expect(await gone).toBe(true);
    socket.destroy();
  });

  it('is ended in the middle of a transfer when its user is disabled', async () => {
    await using client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
    await beginUpload(client, '/data/disabled', Buffer.alloc(1000));
    await peer.rig.database.query("update directory.partner_users set enabled = false where name = 'globex'");
    await client.closed;
    await peer.rig.database.query("update directory.partner_users set enabled = true where name = 'globex'");
    const about = async () =>
      (await peer.rig.audited())
        .map(({ auditMessage }) => auditMessage)
        .filter((message) => message.includes('/data/disabled'));
    const refused = 'Server upload file /data/disabled was refused: the user was frozen or disabled';
    await expect.poll(about).toEqual([refused]);
  });

  it('does not make the server allocate a wrong packet length', async () => {
    const client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
    const { socket } = client;
    const before = process.memoryUsage().arrayBuffers;
    // The client would otherwise disconnect when it reads of its error.
    socket.pause();
    socket.write(Buffer.from([0x7f, 0xff, 0xff, 0xf0]));
    // Nothing shows that the gateway has read the length alone.
    await delay(50);
    socket.write(Buffer.alloc(100));
    await waitFor(async () => JSON.stringify(await openSessions()) === '[]', { what: 'the session to be ended' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * megabyte);
    socket.destroy();
  });

  it('does not make the server hold responses during a key exchange that it never finishes', async () => {
    const claims = { window: 0x7fff_ffff, packetBytes: 32_768 };
    const client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex', claims });
    const file = join(peer.rig.folder, 'stalled');
    await writeFile(file, randomBytes(megabyte));
    const login = { port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo' };
    await runSftp({ ...login, commands: [`put ${file} /data/stalled`] });
    const opened = await client.ask({
      type: 'open',
      id: 1,
      path: Buffer.from('/data/stalled'),
      flags: openFlag.read,
      attributes: {},
    });
    const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    const read = (id: number): SftpRequest => ({ type: 'read', id, handle, offset: 0, length: 261_120 });
    for (let id = 2; id < 10; id += 1) await client.ask(read(id));
    const { socket } = client;
    socket.pause();
    // Within a second the server requests new keys, which this client neither reads of nor answers: nothing shows it.
    await delay(1_500);
    const before = process.memoryUsage().arrayBuffers;
    for (let id = 10; id < 1_000; id += 1) client.send(read(id));
    await waitUntilStill(client);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * megabyte);
    socket.destroy();
  });
});
