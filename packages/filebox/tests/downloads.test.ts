import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/inbox/a.csv');

async function openWithFile(content = 'hello world') {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, [parseVirtualPath('/inbox')]);
  const file = await box.put('/inbox/a.csv', content);
  return { ...box, file };
}

test.each([
  ['the whole file', {}, 'hello world'],
  ['from an offset', { start: 6 }, 'world'],
  ['a range', { start: 2, end: 5 }, 'llo'],
  ['a range beyond the end', { start: 9, end: 100 }, 'ld'],
  ['a range that starts beyond the end', { start: 50, end: 100 }, ''],
  ['an empty range', { start: 3, end: 3 }, ''],
])('a stream gives %s', async (_, range, expected) => {
  const { filebox } = await openWithFile();
  await using download = await filebox.openDownload(vfsId, path, { origin: acme });
  expect(await text(download.stream(range))).toBe(expected);
});

test('random reads on one open file may overlap, and stop at its end', async () => {
  const { filebox } = await openWithFile();
  await using download = await filebox.openDownload(vfsId, path, { origin: acme });
  const parts = await Promise.all([
    download.read(6, 5),
    download.read(0, 5),
    download.read(9, 100),
    download.read(11, 10),
    download.read(99, 10),
  ]);
  expect(parts.map(String)).toEqual(['world', 'hello', 'ld', '', '']);
});

test('several streams of one download do not affect each other', async () => {
  const { filebox } = await openWithFile();
  await using download = await filebox.openDownload(vfsId, path, { origin: acme });
  expect(await Promise.all([text(download.stream()), text(download.stream({ start: 6 }))])).toEqual([
    'hello world',
    'world',
  ]);
});

test('a stream that has ended, or was given up, does not close the download', async () => {
  const { filebox } = await openWithFile();
  await using download = await filebox.openDownload(vfsId, path, { origin: acme });
  for (const range of [{}, { start: 6 }, {}]) {
    expect(await text(download.stream(range))).toBe('hello world'.slice(range.start));
    for await (const _chunk of download.stream()) break;
  }
});

test('a completed download sets the read dates, is audited and announced, once', async () => {
  const { filebox, file, audits, fileEvents } = await openWithFile();
  await using download = await filebox.openDownload(vfsId, path, { origin: acme });
  await Promise.all([download.complete(), download.complete()]);
  const marked = await filebox.find(vfsId, path);
  expect(marked).toMatchObject({ firstReadAt: expect.any(Date), lastReadAt: expect.any(Date) });
  expect(await audits()).toEqual([
    expect.objectContaining({ auditOperation: 'SERVER_UPLOAD_FILE' }),
    expect.objectContaining({
      auditCode: 'AUD0042A',
      auditOperation: 'SERVER_DOWNLOAD_FILE',
      auditMessage: `Server download file /inbox/a.csv FilesetId ${file.fileset}`,
      dfiid: file.dfic.dfiid,
      context: expect.objectContaining({ fileSize: file.size, fileHash: file.sha256 }),
    }),
  ]);
  expect(await fileEvents()).toMatchObject([{ kind: 'stored' }, { kind: 'downloaded', fileset: file.fileset }]);
});

test('the first read date stays, the last one moves', async () => {
  const { filebox } = await openWithFile();
  const readOnce = async () => {
    await using download = await filebox.openDownload(vfsId, path, { origin: acme });
    await download.complete();
    const entry = await filebox.find(vfsId, path);
    if (entry?.kind !== 'file') throw new Error('the file is gone');
    return entry;
  };
  const first = await readOnce();
  const second = await readOnce();
  expect(second.firstReadAt).toEqual(first.firstReadAt);
  expect(second.lastReadAt?.getTime()).toBeGreaterThan(first.lastReadAt?.getTime() ?? Infinity);
});

test('a download that was not completed is not recorded', async () => {
  const { filebox, audits } = await openWithFile();
  {
    await using download = await filebox.openDownload(vfsId, path, { origin: acme });
    await download.read(0, 3);
  }
  expect(await audits()).toHaveLength(1);
  expect(await filebox.find(vfsId, path)).toMatchObject({ firstReadAt: undefined });
});

test.each([
  ['replaced', async ({ put }: Awaited<ReturnType<typeof openWithFile>>) => put('/inbox/a.csv', 'other')],
  [
    'deleted',
    async ({ filebox }: Awaited<ReturnType<typeof openWithFile>>) => filebox.deleteFile(vfsId, path, { origin: acme }),
  ],
])('a reader keeps the version it opened when the file is %s', async (_, change) => {
  const box = await openWithFile();
  const { filebox, file, heldBlobs } = box;
  await using download = await filebox.openDownload(vfsId, path, { origin: acme });
  expect(String(await download.read(0, 5))).toBe('hello');
  await change(box);
  await filebox[Symbol.asyncDispose]();
  expect(await heldBlobs()).not.toContain(file.blobId);
  expect(String(await download.read(6, 5))).toBe('world');
  expect(await text(download.stream())).toBe('hello world');
  await download.complete();
});

test('opening a file while it is repeatedly replaced always returns a complete version', async () => {
  const { filebox, put } = await openWithFile('0'.repeat(1000));
  const progress = { writing: true };
  const writer = (async () => {
    for (let digit = 1; digit <= 25; digit += 1) await put('/inbox/a.csv', String(digit % 10).repeat(1000));
    progress.writing = false;
  })();
  let reads = 0;
  while (progress.writing) {
    await using download = await filebox.openDownload(vfsId, path, { origin: acme });
    const content = String(await download.read(0, 2000));
    expect(content).toBe(content.slice(0, 1).repeat(1000));
    reads += 1;
  }
  await writer;
  expect(reads).toBeGreaterThan(5);
});

test.each([
  ['a missing file', '/inbox/nope', 'file_not_found'],
  ['a missing folder', '/nope/a.csv', 'path_not_found'],
  ['a file as a folder', '/inbox/a.csv/b', 'path_not_found'],
  ['a folder', '/inbox', 'not_a_file'],
  ['the root', '/', 'not_a_file'],
])('opening %s is refused', async (_, target, code) => {
  const { filebox } = await openWithFile();
  const opening = filebox.openDownload(vfsId, parseVirtualPath(target), { origin: acme });
  await expect(opening).rejects.toMatchObject({ code });
});

test('a download that was opened ahead is not returned if the file was replaced', async () => {
  const { filebox, file, put } = await openWithFile('old');
  const options = { origin: acme, expected: file };
  const read = async () => {
    await using download = await filebox.openDownload(vfsId, path, options);
    return (await download.read(0, 100)).toString();
  };
  expect(await read()).toBe('old');
  await put('/inbox/a.csv', 'new content');
  expect(await read()).toBe('new content');
  await filebox.deleteFile(vfsId, path, { origin: acme });
  await expect(read()).rejects.toMatchObject({ code: 'file_not_found' });
});

test('a blob that was opened ahead is closed if the index has another version', async () => {
  const { filebox, put } = await openWithFile();
  const expected = await put('/inbox/other.csv', 'other');
  const openFiles = async () => (await readdir('/proc/self/fd')).length;
  const before = await openFiles();
  for (let time = 0; time < 20; time += 1) {
    await using download = await filebox.openDownload(vfsId, path, { origin: acme, expected });
    expect(await text(download.stream())).toBe('hello world');
  }
  expect(await openFiles()).toBeLessThan(before + 10);
});
