import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { startGatewayProcess, type GatewayProcess } from './start-gateway-process.ts';

const uploads = 20;
const acknowledged = 5;
const sizeBytes = 1_500_000;

let rig: GatewayRig;
let living: RunningGateway;
const started: GatewayProcess[] = [];

beforeAll(async () => {
  rig = await createGatewayRig();
  living = await rig.start('peer1');
});
afterAll(async () => {
  await Promise.all(started.map((process) => process[Symbol.asyncDispose]()));
  await living?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

async function startProcess(peerName: string): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess(rig.environmentOf(peerName));
  started.push(gateway);
  return gateway;
}

async function sessionsOf(peerName: string): Promise<number> {
  const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
  const answer = await createHttpClient(living.httpUrl).get(path, {
    query: { peerName },
    bearer: rig.tokenOf('Users'),
  });
  return (answer.json() as { totalCount: number }).totalCount;
}

async function logouts(): Promise<number> {
  return (await rig.audited()).filter(({ auditMessage }) => auditMessage === 'User globex has logged out').length;
}

const sftp = (port: number, commands: string[]) =>
  runSftp({ port, user: 'globex', password: 'globex-demo', commands, timeoutMs: 60_000 });
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Bytes of a file as its uploader sees it. */
async function sizeOf(client: RawSftpClient, path: string): Promise<number> {
  const answer = await client.ask({ type: 'stat', id: 1, path: Buffer.from(path) });
  return answer.type === 'attrs' ? (answer.attributes.size ?? -1) : -1;
}

it('a gateway killed amid twenty uploads leaves nothing half visible, partials to go on with, and logouts on the record', async () => {
  const killed = await startProcess('peer2');
  const contents = Array.from({ length: uploads }, () => randomBytes(sizeBytes));
  const clients = await Promise.all(contents.map(() => connectRawSftp({ port: killed.sftpPort, user: 'globex' })));
  // Some are closed, and so delivered, before the end; of the others two thirds have been answered.
  await Promise.all(
    clients.map(async (client, index) => {
      const content = contents[index] ?? Buffer.alloc(0);
      const isWhole = index < acknowledged;
      const handle = await beginUpload(
        client,
        `/data/file${index}`,
        isWhole ? content : content.subarray(0, 1_000_000),
      );
      if (isWhole) expect(await client.ask({ type: 'close', id: 9, handle })).toMatchObject({ code: 0 });
      else
        client.send({ type: 'write', id: 8, handle, offset: 1_000_000, data: content.subarray(1_000_000, 1_200_000) });
    }),
  );
  expect(await sessionsOf('peer2')).toBe(uploads);
  killed.child.kill('SIGKILL');
  await killed.exited;
  const killedAt = performance.now();
  const restarting = startProcess('peer2');
  await waitFor(async () => (await sessionsOf('peer2')) === 0, { what: 'the sessions to vanish', timeoutMs: 15_000 });
  await waitFor(async () => (await logouts()) >= uploads, { what: 'the logouts', timeoutMs: 15_000 });
  expect(performance.now() - killedAt).toBeLessThan(15_000);
  const { sftpPort: restartedPort } = await restarting;

  const visible = await rig.database.query(
    "select name from filebox.entries where name like 'file%' and kind = 'file' order by name",
  );
  expect(visible.map(({ name }) => name)).toEqual(Array.from({ length: acknowledged }, (_, index) => `file${index}`));

  await using uploader = await connectRawSftp({ port: living.sftpPort, user: 'globex' });
  for (let index = acknowledged; index < uploads; index += 1) {
    expect(await sizeOf(uploader, `/data/file${index}`)).toBeGreaterThanOrEqual(1_000_000);
  }
  await Promise.all(
    [0, acknowledged, uploads - 1].map(async (index) => {
      const content = contents[index] ?? Buffer.alloc(0);
      const local = join(rig.folder, `file${index}`);
      const port = index === acknowledged ? living.sftpPort : restartedPort;
      await writeFile(local, content);
      if (index >= acknowledged) {
        const goOn = async () => (await sftp(port, [`reput ${local} /data/file${index}`])).exitCode === 0;
        await waitFor(goOn, { what: 'the upload to be gone on with', timeoutMs: 60_000, intervalMs: 500 });
      }
      expect(await sftp(port, [`get /data/file${index} ${local}.back`])).toMatchObject({ exitCode: 0 });
      expect(hashOf(await readFile(`${local}.back`))).toBe(hashOf(content));
    }),
  );
  // Each login has had one logout, whoever put it there, but for the session that is still open.
  const logins = (await rig.audited()).filter(
    ({ auditMessage }) => auditMessage === 'User globex has logged in',
  ).length;
  await waitFor(async () => (await logouts()) === logins - 1, { what: 'the last logouts' });
}, 120_000);
