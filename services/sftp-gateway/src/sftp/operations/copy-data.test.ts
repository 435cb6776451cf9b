import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileEntry } from '@waybill/filebox/model/entry';
import { expect, it } from 'vitest';
import { OpenFiles } from '../../domain/files/handles/open-files.ts';
import type { ReadableFile } from '../../domain/files/handles/readable-file.ts';
import { WritableFile } from '../../domain/files/handles/writable-file.ts';
import { WrittenFile } from '../../domain/files/handles/written-file.ts';
import type { WrittenUpload } from '../../domain/files/handles/written-upload.ts';
import type { ReadAhead } from '../transfers/read-ahead.ts';
import { copyData } from './copy-data.ts';
import { HandleTable } from './handle-table.ts';

const path = parseVirtualPath('/a');
const openFiles = new OpenFiles();
const place = openFiles.open({ path, vfsId: 'vfs', vfsPath: path });
const at = new Date();
const pieces = 1_000;
const fileset = filesetIdSchema.parse('1');
const entry: FileEntry = {
  kind: 'file',
  id: fileset,
  fileset,
  vfsId: 'vfs',
  path,
  name: 'a',
  owner: 'acme',
  createdAt: at,
  modifiedAt: at,
  storageClass: 'archive',
  blobId: 'blob',
  size: pieces,
  sha256: '',
  mediaType: '',
  putAt: at,
  firstReadAt: undefined,
  lastReadAt: undefined,
  expiresAt: undefined,
  metadata: {},
  systemMetadata: {},
  dfic: { dfiid: 'dataflow', lcid: 'log', userAttrs: {} },
};

const ahead: ReadAhead = { read: () => Promise.reject(new Error('nothing is read ahead')), forget: () => {} };

/** A file that counts its reads. */
function fileToRead(): { file: ReadableFile; reads: () => number } {
  let reads = 0;
  const read = () => {
    reads += 1;
    return Promise.resolve(Buffer.alloc(1));
  };
  const description = { kind: 'file', name: 'a', size: pieces, modifiedAt: at, accessedAt: at } as const;
  const file: ReadableFile = {
    place,
    identity: entry,
    description,
    noteModifiedAt: () => {},
    sha256: '',
    read,
    readInto: () => Promise.resolve(0),
    noteRead: () => {},
    foundEnd: () => {},
    whole: () => ({ entry, read }),
    close: () => Promise.resolve(),
  };
  return { file, reads: () => reads };
}

/** A file in another class of storage, so that a copy reads the whole source. */
function fileToWrite(): WritableFile {
  const nothing = () => Promise.resolve();
  const upload: WrittenUpload = {
    blobId: 'blob',
    moveTo: () => {},
    size: () => 0,
    write: nothing,
    read: () => Promise.resolve(Buffer.alloc(0)),
    copyFrom: async (source) => {
      for (let offset = 0; offset < pieces; offset += 1) await source.read(offset, 1);
    },
    truncate: nothing,
    sync: nothing,
    setModifiedAt: () => {},
    addMetadata: () => {},
    commit: () => Promise.resolve(entry),
    discard: nothing,
    suspend: nothing,
  };
  const identity = { vfsId: 'vfs', id: undefined };
  const options = { place, openFiles, identity, commitUntouched: true };
  const look = { files: () => Promise.resolve(new Map()), uploads: () => Promise.resolve(new Map()) };
  const written = new WrittenFile(upload, { ...options, look, reopen: () => Promise.resolve(upload) });
  return new WritableFile(written, { append: false });
}

it('copying a whole file into another class of storage stops when the client has disconnected', async () => {
  const handles = new HandleTable(2);
  const source = fileToRead();
  const handle = handles.add({ kind: 'reading', file: source.file, ahead });
  const targetHandle = handles.add({ kind: 'writing', file: fileToWrite() });
  const request = { type: 'copy-data', id: 1, handle, targetHandle, offset: 0, length: 0, targetOffset: 0 } as const;
  const copying = copyData(request, { handles, isOver: () => source.reads() === 3 });
  await expect(copying).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(source.reads()).toBe(3);
});
