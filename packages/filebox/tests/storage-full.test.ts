import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const program = fileURLToPath(new URL('upload-beyond-limit.ts', import.meta.url));

test('with no room left the client is told so, and the room is released: nothing of the upload stays', async () => {
  const { filebox, databaseUrl, blobDir, heldBlobs, audits, db } = await openTestFilebox();
  const request = { vfsId, path: '/a.bin', origin: acme, chunkBytes: 300_000, chunks: 4 };
  // 1 MiB for each file: the fourth chunk is written in part, then refused by the system.
  const command = `ulimit -f ${process.platform === 'linux' ? 1024 : 2048}; exec "$@"`;
  const args = ['-c', command, 'bash', process.execPath, program, databaseUrl, blobDir, JSON.stringify(request)];
  const { stdout } = await promisify(execFile)('bash', args);
  expect(JSON.parse(stdout)).toEqual(['done', 'done', 'done', 'storage_full', 'storage_full']);
  expect(await heldBlobs()).toEqual([]);
  expect(await db('filebox.uploads')).toEqual([]);
  expect(await filebox.find(vfsId, parseVirtualPath('/a.bin'), { includeUploadOf: acme.userName })).toBeUndefined();
  expect(await audits()).toEqual([]);
});
