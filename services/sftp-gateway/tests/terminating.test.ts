import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { twoGateways } from './test-gateways.ts';

const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
const peers = twoGateways();

beforeAll(async () => {
  const local = join(peers.rig.folder, 'large');
  await writeFile(local, randomBytes(40_000_000));
  await runSftp({
    port: peers.first.sftpPort,
    user: 'globex',
    password: 'globex-demo',
    commands: [`put ${local} /data/large`],
  });
});

async function onlySession(): Promise<{ sessionId: string; bytesSent: number }> {
  const listed = await createHttpClient(peers.second.httpUrl).get(path, { bearer: peers.rig.tokenOf('Users') });
  const { sessions } = listed.json() as { sessions: { sessionId: string; bytesSent: number }[] };
  expect(sessions).toHaveLength(1);
  return sessions[0]!;
}

/**
 * Ends the only session, through the other gateway. Success shows that it took less than a second: `session-registry.test.ts` shows
 * that one which takes longer is answered with an error.
 */
async function terminate(): Promise<void> {
  const { sessionId } = await onlySession();
  const answer = await createHttpClient(peers.second.httpUrl).request('DELETE', path, {
    json: { clusterName: 'cluster1', peerName: 'peer1', protocol: 'SFTP', serverName: 'sftp-server', sessionId },
    bearer: peers.rig.tokenOf('Administrators'),
  });
  expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ sessionId })]);
  const auditMessage = `User admin has ended session ${sessionId} of user globex`;
  expect(await peers.rig.audited()).toContainEqual(expect.objectContaining({ auditMessage, dataoneUser: 'admin' }));
}

async function openLarge(client: RawSftpClient): Promise<Buffer> {
  const request = {
    type: 'open',
    id: 1,
    path: Buffer.from('/data/large'),
    flags: openFlag.read,
    attributes: {},
  } as const;
  const opened = await client.ask(request);
  return opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
}

describe('ending a session takes less than a second', () => {
  it('and tells the client who did it', async () => {
    const session = openSftpSession({ port: peers.first.sftpPort, user: 'globex', password: 'globex-demo' });
    session.send('pwd');
    await waitFor(() => session.stdout().includes('Remote working directory'), { what: 'the login' });
    await terminate();
    session.send('pwd');
    session.send('ls');
    expect((await session.exited).exitCode).not.toBe(0);
    expect(session.stderr()).toContain('Administrator admin has ended this session');
  });

  it('in the middle of an upload, whose received bytes can be resumed', async () => {
    const client = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    const handle = await beginUpload(client, '/data/cut', Buffer.alloc(1_000_000, 'a'));
    let offset = 1_000_000;
    const flood = setInterval(() => {
      client.send({ type: 'write', id: 5, handle, offset, data: Buffer.alloc(100_000, 'b') });
      offset += 100_000;
    }, 5);
    await terminate();
    clearInterval(flood);
    await client.closed;
    await using again = await connectRawSftp({ port: peers.second.sftpPort, user: 'globex' });
    const size = async () => {
      const answer = await again.ask({ type: 'stat', id: 1, path: Buffer.from('/data/cut') });
      return answer.type === 'attrs' ? (answer.attributes.size ?? 0) : 0;
    };
    expect(await waitFor(async () => (await size()) >= 1_000_000, { what: 'the received bytes' })).toBe(true);
    const delivered = (await peers.rig.audited()).filter(({ auditMessage }) => auditMessage.includes('/data/cut'));
    expect(delivered).toEqual([]);
  });

  it('in the middle of a download', async () => {
    const client = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    const handle = await openLarge(client);
    let at = 0;
    const pull = setInterval(() => {
      for (let count = 0; count < 20; count += 1) {
        client.send({ type: 'read', id: 7, handle, offset: (at * 30_000) % 40_000_000, length: 30_000 });
        at += 1;
      }
    }, 5);
    await waitFor(() => client.unread.length > 50, { what: 'the download to run' });
    await terminate();
    clearInterval(pull);
    await client.closed;
  });

  it.each([
    ['leaves its SSH window closed', { window: 100_000, packetBytes: 32_768 }],
    ['reads nothing from its socket', undefined],
  ])('of a client that requests everything and %s', async (_name, claims) => {
    const client = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex', ...(claims && { claims }) });
    const handle = await openLarge(client);
    if (claims === undefined) client.socket.pause();
    else client.channel.pause();
    for (let id = 0; id < 500; id += 1) {
      client.send({ type: 'read', id, handle, offset: id * 60_000, length: 60_000 });
    }
    await waitFor(async () => (await onlySession()).bytesSent > 0, { what: 'the download to run' });
    await terminate();
    client.socket.destroy();
  });
});
