import { readdir, readlink } from 'node:fs/promises';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { read, write, create, truncate } = openFlag;
/** Reading it takes so long that no client disconnects after the end by chance. */
const hugeBytes = 512 * 1024 * 1024;
const sessionsPath = '/platform-application/api/v1/infrastructure/clusters/server-sessions';

const peer = oneGateway();

beforeAll(async () => {
  await using client = await connect();
  const handle = await open(client, 'huge', write | create | truncate);
  await client.ask({ type: 'fsetstat', id: 2, handle, attributes: { size: hugeBytes } });
  await client.ask({ type: 'close', id: 3, handle });
});

const connect = () => connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });

async function open(client: RawSftpClient, name: string, flags: number): Promise<Buffer> {
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(`/data/${name}`), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
  return opened.handle;
}

/** Requests the hash of every block, so that the whole file is read. */
const blocks = { id: 9, algorithms: ['sha256'], offset: 0, length: 0, blockBytes: 1024 * 1024 };

const works: Record<string, (client: RawSftpClient) => Promise<void> | void> = {
  'check-file-name': (client) => client.send({ type: 'check-file-name', path: Buffer.from('/data/huge'), ...blocks }),
  'check-file-handle': async (client) =>
    client.send({ type: 'check-file-handle', handle: await open(client, 'huge', read), ...blocks }),
  'copy-data': async (client) => {
    const handle = await open(client, 'huge', read);
    const targetHandle = await open(client, 'copy', write | create | truncate);
    // Not into an empty file, which would move no bytes.
    await client.ask({ type: 'write', id: 2, handle: targetHandle, offset: 0, data: Buffer.from('x') });
    client.send({ type: 'copy-data', id: 9, handle, targetHandle, offset: 0, length: 0, targetOffset: 0 });
  },
};

const ways: Record<string, (client: RawSftpClient) => Promise<void> | void> = {
  'whose connection breaks': ({ socket }) => void socket.destroy(),
  'who closes the channel, and keeps the connection': (client) => {
    client.send({ type: 'realpath', id: 10, path: Buffer.from('.') });
    client.channel.close();
  },
  'whose session is terminated': async () => {
    const http = createHttpClient(peer.gateway.httpUrl);
    const listed = await http.get(sessionsPath, { bearer: peer.rig.tokenOf('Users') });
    const { sessions } = listed.json() as { sessions: { sessionId: string }[] };
    const sessionId = sessions[0]?.sessionId;
    const answer = await http.request('DELETE', sessionsPath, {
      json: { clusterName: 'cluster1', peerName: 'peer1', protocol: 'SFTP', serverName: 'sftp-server', sessionId },
      bearer: peer.rig.tokenOf('Administrators'),
    });
    expect(answer.status).toBe(200);
  },
};

/** Whether the file is open in this process, which runs the gateway. */
async function isOpen(): Promise<boolean> {
  const [file] = await peer.rig.database.query("select blob_id from filebox.entries where name = 'huge'");
  const targets = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(targets)).some((target) => target.includes(String(file?.['blob_id'])));
}

describe.each(Object.keys(works))('%s of a huge file', (work) => {
  it.each(Object.keys(ways))('stops for a client %s', async (way) => {
    await using client = await connect();
    await works[work]?.(client);
    await waitFor(isOpen, { what: 'the file to be read' });
    await ways[way]?.(client);
    await waitFor(async () => !(await isOpen()), { what: 'the file to be closed', timeoutMs: 30_000 });
  });
});

it('The work stopped before the end of the file', async () => {
  await peer.gateway[Symbol.asyncDispose]();
  const facts = (await peer.rig.audited()).filter(({ auditMessage }) => auditMessage.includes('/data/huge'));
  expect(facts.map(({ auditOperation }) => auditOperation)).toEqual(['SERVER_UPLOAD_FILE']);
});
