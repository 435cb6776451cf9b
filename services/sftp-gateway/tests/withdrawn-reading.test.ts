import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeEach, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { gatewayWithClient } from './gateway-with-client.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { everything, grants } from './withdrawals.ts';

const { read, write, create, truncate } = openFlag;

const fixture = gatewayWithClient();

beforeEach(async () => {
  await fixture.rig.database.query(grants(everything));
  await using client = await connect();
  await openAt(client, '/inbox/there', read | write | create);
  const handle = await beginUpload(client, '/inbox/there', Buffer.from('secret'));
  await client.ask({ type: 'close', id: 3, handle });
});

const connect = () => connectRawSftp({ port: fixture.gateway.sftpPort, user: 'acme' });
const isDenied = (answer: SftpResponse) => answer.type === 'status' && answer.code === statusCode.permissionDenied;

/** The handle; waits until the process of this session, too, knows the rights. */
async function openAt(client: RawSftpClient, name: string, flags: number): Promise<Buffer> {
  const opened = () => client.ask({ type: 'open', id: 1, path: Buffer.from(name), flags, attributes: {} });
  return waitFor(
    async () => {
      const answer = await opened();
      return answer.type === 'handle' ? Buffer.from(answer.handle) : undefined;
    },
    { what: `the right to open ${name}` },
  );
}

it.each([
  ['to read and write', read | write],
  ['to read and write from nothing', read | write | create | truncate],
])('a handle that was opened %s reads nothing more without the permission to download', async (_, flags) => {
  await using client = await connect();
  const handle = await openAt(client, '/inbox/there', flags);
  await client.ask({ type: 'write', id: 2, handle, offset: 6, data: Buffer.from(' and more') });
  const reader = await openAt(client, '/inbox/there', read);
  const readFrom = (handle: Buffer) => client.ask({ type: 'read', id: 2, handle, offset: 0, length: 100 });
  // The process of this session may still have the rights of the test before.
  await waitFor(async () => (await readFrom(handle)).type === 'data', { what: 'the right to read' });
  await waitFor(async () => (await readFrom(reader)).type === 'data', { what: 'the right to read what is growing' });
  await fixture.rig.database.query(grants('["list", "upload"]'));
  await waitFor(async () => isDenied(await readFrom(handle)), { what: 'the refusal' });
  await waitFor(async () => isDenied(await readFrom(reader)), { what: 'the refusal of what is growing' });
  // What was written is still the user's to deliver.
  expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ code: statusCode.ok });
});

it('a file that is open to be read cannot be copied without the permission to download', async () => {
  await using client = await connect();
  const handle = await openAt(client, '/inbox/there', read);
  await fixture.rig.database.query(grants('["list", "upload"]'));
  await waitFor(async () => isDenied(await client.ask({ type: 'read', id: 2, handle, offset: 0, length: 100 })), {
    what: 'the refusal',
  });
  const targetHandle = await openAt(client, '/inbox/copied', write | create | truncate);
  const range = { offset: 0, length: 0, targetOffset: 0 };
  const answer = await client.ask({ type: 'copy-data', id: 2, handle, targetHandle, ...range });
  expect(answer).toMatchObject({ code: statusCode.permissionDenied });
});
