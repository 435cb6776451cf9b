import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const at = parseVirtualPath;
const origin = { origin: acme };

async function openWith(...folders: string[]) {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, folders.map(at));
  return box;
}

test('metadata is added, replaced, and announced', async () => {
  const { filebox, put, fileEvents } = await openWith('/a');
  await put('/a/file', 'x', { metadata: { colour: 'red', size: 'XL' } });
  const values = { colour: 'blue', 'SPFB_SP2_FILE_SYS_MD.EXPIRY_DATE': '2030-01-01T00:00:00Z' };
  const file = await filebox.setMetadata(vfsId, at('/a/file'), values, origin);
  expect(file).toMatchObject({
    metadata: { colour: 'blue', size: 'XL' },
    systemMetadata: { EXPIRY_DATE: '2030-01-01T00:00:00Z' },
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  });
  expect(await filebox.find(vfsId, at('/a/file'))).toEqual(file);
  expect((await fileEvents()).at(-1)).toMatchObject({ kind: 'metadataUpdated', fileset: file.fileset });
});

test('a change of metadata is audited, with its keys, and once', async () => {
  const { filebox, put, audits } = await openWith('/a');
  await put('/a/file', 'x');
  const many = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`k${10 + index}`, 'secret']));
  await filebox.setMetadata(vfsId, at('/a/file'), { ...many, 'SPFB_SP2_FILE_SYS_MD.PRIORITY': '1' }, origin);
  const [record] = (await audits()).slice(-1);
  expect(record).toMatchObject({ auditCode: 'AUD0047A', auditOperation: 'MODIFY', dataoneUser: 'acme' });
  expect(record).toMatchObject({ entityType: 'File', entityName: '/a/file' });
  expect(record?.['auditMessage']).toMatch(/: SPFB_SP2_FILE_SYS_MD\.PRIORITY, k10, k11, .*k28, and 3 more$/u);
  for (const _twice of [1, 2]) {
    await filebox.setMetadata(vfsId, at('/a/file'), { mode: '644' }, { ...origin, announce: false });
  }
  const changes = (await audits()).filter(({ auditCode }) => auditCode === 'AUD0047A');
  expect(changes).toMatchObject([record, { auditMessage: expect.stringMatching(/: mode$/u) }]);
});

test('metadata is added up to the limit of a file, by concurrent callers too, and a check runs first', async () => {
  const { filebox, put } = await openWith('/a');
  await put('/a/file', 'x');
  const add = (prefix: string) => {
    const values = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${prefix}${index}`, '']));
    return filebox.setMetadata(vfsId, at('/a/file'), values, origin);
  };
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(add));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await expect(add('f')).rejects.toMatchObject({ code: 'metadata_key_refused' });
  const file = await filebox.find(vfsId, at('/a/file'));
  expect(file?.kind === 'file' && Object.keys(file.metadata)).toHaveLength(200);
  const check = () => {
    throw new Error('not this one');
  };
  await expect(filebox.setMetadata(vfsId, at('/a/file'), { k: 'v' }, { ...origin, check })).rejects.toThrow('not this');
  expect(await filebox.find(vfsId, at('/a/file'))).toEqual(file);
});

test.each([
  ['of a missing file', '/a/nope', {}, 'file_not_found'],
  ['of a folder', '/a', {}, 'not_a_file'],
  ['with a read-only key', '/a/file', { 'SPFB_SP2_FILE_SYS_MD.FILE_LENGTH': '1' }, 'metadata_key_refused'],
])('metadata %s is refused', async (_, path, values, code) => {
  const { filebox, put } = await openWith('/a');
  await put('/a/file', 'x');
  await expect(filebox.setMetadata(vfsId, at(path), values, origin)).rejects.toMatchObject({ code });
});
