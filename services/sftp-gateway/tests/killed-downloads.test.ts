import { randomBytes } from 'node:crypto';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { createGatewayRig } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { startGatewayProcess } from './start-gateway-process.ts';

const sessions = 4;
const filesOfSession = 12;
const content = randomBytes(20_000);

/** Reads a whole file, and closes it. */
async function download(client: RawSftpClient, path: string, onLastByte: () => void): Promise<void> {
  const opened = await client.ask({
    type: 'open',
    id: 1,
    path: Buffer.from(path),
    flags: openFlag.read,
    attributes: {},
  });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
  const { handle } = opened;
  const answer = await client.ask({ type: 'read', id: 2, handle, offset: 0, length: content.length });
  if (answer.type !== 'data') throw new Error(`READ was answered with ${answer.type}`);
  expect(answer.data.equals(content)).toBe(true);
  onLastByte();
  await client.ask({ type: 'close', id: 3, handle });
}

it('a gateway that is killed loses the record of the last download of each session at most', async () => {
  await using rig = await createGatewayRig();
  await using gateway = await startGatewayProcess(rig.environmentOf('peer1'));
  const clients = await Promise.all(
    Array.from({ length: sessions }, () => connectRawSftp({ port: gateway.sftpPort, user: 'globex' })),
  );
  const received = clients.map((): string[] => []);
  const downloads = clients.map(async (client, session) => {
    for (let file = 0; file < filesOfSession; file += 1) {
      const path = `/data/s${session}-f${file}`;
      const handle = await beginUpload(client, path, content);
      expect(await client.ask({ type: 'close', id: 9, handle })).toMatchObject({ code: statusCode.ok });
      await download(client, path, () => {
        received[session]?.push(path);
        // In the middle of the other sessions, and before this CLOSE.
        if (session === 0 && file === filesOfSession - 3) gateway.child.kill('SIGKILL');
      });
    }
  });
  await Promise.race([Promise.all(downloads), gateway.exited]);
  await Promise.all(clients.map(({ closed }) => closed));
  const audited = new Set(
    (await rig.audited())
      .map(({ auditMessage }) => /^Server download file (\S+) /u.exec(auditMessage)?.[1])
      .filter((path) => path !== undefined),
  );
  expect(received[0]).toHaveLength(filesOfSession - 2);
  for (const paths of received) for (const path of paths.slice(0, -1)) expect(audited).toContain(path);
});
