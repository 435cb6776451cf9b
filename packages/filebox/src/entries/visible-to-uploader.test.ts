import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { FolderEntry, UploadEntry } from '../model/entry.ts';
import { visibleToUploader } from './find-visible.ts';

const earlier = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-01T00:00:01Z');
const core = { vfsId: 'v', path: parseVirtualPath('/a'), name: 'a', owner: 'acme', modifiedAt: earlier };
const upload: UploadEntry = { kind: 'upload', ...core, createdAt: earlier, blobId: 'b', size: 1 };
const folder: FolderEntry = { kind: 'folder', ...core, createdAt: earlier, id: '1' };

test('an uploader sees an uncommitted upload if there is no other entry', () => {
  expect(visibleToUploader(undefined, upload)).toBe(upload);
  expect(visibleToUploader(undefined, undefined)).toBeUndefined();
});

test('a folder is never hidden by an uncommitted upload', () => {
  expect(visibleToUploader(folder, { ...upload, createdAt: later })).toBe(folder);
});
