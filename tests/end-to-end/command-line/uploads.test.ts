import { expect, it } from 'vitest';
import { z } from 'zod';
import { connectSftp, type SftpConnection } from '../two-doors/sftp-door.ts';
import { oneLoggedIn } from './one-platform.ts';

const site = oneLoggedIn();
const tus = { 'tus-resumable': '1.0.0' };
const describedAs = (path: string) => `path ${Buffer.from(path).toString('base64')}`;

const uploadsSchema = z.array(z.looseObject({ uploadId: z.string(), path: z.string() }));
const listed = async (...more: string[]) => uploadsSchema.parse(await site.json('uploads', 'list', ...more));

async function beginOverHttp(path: string) {
  const client = site.platform.http();
  await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
  const headers = { ...tus, 'upload-length': '4096', 'upload-metadata': describedAs(path) };
  const begun = await client.post('/2.0/uploads', { headers });
  const address = new URL(begun.headers.get('location') ?? '').pathname;
  const append = (offset: number, body: string) =>
    client.request('PATCH', address, {
      headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body,
    });
  expect((await append(0, 'x'.repeat(1024))).status).toBe(204);
  return { append, inspect: () => client.request('HEAD', address, { headers: tus }) };
}

/** Opens a file, writes its beginning, and returns what closes it. */
async function beginOverSftp({ sftp }: SftpConnection, path: string, content: string): Promise<() => Promise<void>> {
  const bytes = Buffer.from(content);
  const handle = await new Promise<Buffer>((resolve, reject) => {
    sftp.open(path, 'w', (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  await new Promise<void>((resolve, reject) => {
    sftp.write(handle, bytes, 0, bytes.length, 0, (error) => (error ? reject(error) : resolve()));
  });
  return () => new Promise((resolve, reject) => sftp.close(handle, (error) => (error ? reject(error) : resolve())));
}

it('uploads over both protocols are listed and deleted: their senders are refused, and the audit log has it', async () => {
  expect(await site.done('uploads', 'list')).toBe('There are none.\n');
  const overHttp = await beginOverHttp('/inbox/big.bin');
  await using connection = await connectSftp({ port: site.platform.sftpPort, user: 'acme', password: 'acme-demo' });
  const close = await beginOverSftp(connection, '/inbox/running.bin', 'so far');

  expect(await listed()).toMatchObject([
    { path: '/inbox/running.bin', protocol: 'SFTP', state: 'running', bytes: 6, length: null, actor: 'acme' },
    { path: '/inbox/big.bin', protocol: 'HTTP', state: 'interrupted', bytes: 1024, length: 4096, userName: 'acme' },
  ]);
  expect(await site.done('uploads', 'list', '--path', '/inbox/big.bin')).toMatch(
    /^UPLOAD +STATE +BY +USER +BYTES +SINCE +KEPT UNTIL +FILE\n\S{13} +interrupted +HTTP +acme +1\.0 KiB of 4\.0 KiB +20\S+Z +20\S+Z +acme-files:\/inbox\/big\.bin\n$/u,
  );
  expect(await listed('--user', 'acme', '--actor', 'acme', '--vfs', 'acme-files', '--limit', '1')).toHaveLength(1);
  expect(await listed('--actor', 'nobody')).toEqual([]);
  for (const wrong of [
    ['--path', 'inbox'],
    ['--limit', '0'],
    ['--limit', 'many'],
  ])
    expect((await site.waybill(['uploads', 'list', ...wrong])).code).toBe(2);

  const [running, interrupted] = await listed();
  expect((await site.waybill(['uploads', 'delete', 'XYZ'])).code).toBe(2);
  expect((await site.waybill(['uploads', 'delete', '0'.repeat(20)])).code).toBe(1);
  expect(await site.done('uploads', 'delete', interrupted!.uploadId.slice(0, 13))).toBe(
    'the upload of acme-files:/inbox/big.bin by acme was deleted: 1.0 KiB of 4.0 KiB\n',
  );
  expect((await overHttp.append(1024, 'x')).status).toBe(404);
  expect((await overHttp.inspect()).status).toBe(404);
  expect((await site.waybill(['uploads', 'delete', interrupted!.uploadId])).code).toBe(1);
  expect(await site.done('uploads', 'delete', running!.uploadId)).toContain(
    '/inbox/running.bin by acme was deleted: 6 B',
  );
  await expect(close()).rejects.toThrow(/discarded meanwhile/u);
  expect(await site.done('uploads', 'list')).toBe('There are none.\n');
  expect(await site.done('files', 'ls', '/inbox')).not.toMatch(/big|running/u);

  const records = () => site.json('audit', 'query', '--filter', '{auditCode="AUD0058A"}');
  await expect
    .poll(records)
    .toMatchObject([
      { dataoneUser: 'admin', auditOperation: 'DELETE', entityType: 'Upload', entityName: '/inbox/running.bin' },
      { auditMessage: 'User admin has deleted the unfinished upload of /inbox/big.bin by user acme' },
    ]);
});
