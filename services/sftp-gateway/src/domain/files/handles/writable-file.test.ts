import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { describe, expect, it } from 'vitest';
import { OpenFiles } from './open-files.ts';
import { WritableFile } from './writable-file.ts';
import { WrittenFile } from './written-file.ts';
import type { WrittenUpload } from './written-upload.ts';

const placeOf = (path: string) => ({ path: parseVirtualPath(path), vfsId: 'vfs', vfsPath: parseVirtualPath(path) });

/** An upload that notes what is done to it, and whose writes settle when the test says so. */
function createRig({ append = false, commitUntouched = true } = {}) {
  const calls: string[] = [];
  const writes: PromiseWithResolvers<void>[] = [];
  let size = 0;
  const note = (call: string) => () => {
    calls.push(call);
    return Promise.resolve();
  };
  const upload: WrittenUpload = {
    blobId: 'blob',
    size: () => size,
    write: (chunk, offset) => {
      calls.push(`write ${offset}`);
      size = Math.max(size, offset + chunk.length);
      const write = Promise.withResolvers<void>();
      writes.push(write);
      return write.promise;
    },
    read: () => Promise.resolve(Buffer.alloc(0)),
    copyFrom: note('copyFrom'),
    truncate: note('truncate'),
    sync: note('sync'),
    setModifiedAt: () => void calls.push('setModifiedAt'),
    addMetadata: () => void calls.push('addMetadata'),
    moveTo: (to) => void calls.push(`moveTo ${to}`),
    commit: async () => {
      calls.push('commit');
      return { id: filesetIdSchema.parse('1'), path: place.vfsPath };
    },
    discard: note('discard'),
    suspend: note('suspend'),
  };
  const openFiles = new OpenFiles();
  const place = openFiles.open(placeOf('/a'));
  const identity = { vfsId: 'vfs', id: undefined };
  const reopen = () => Promise.reject(new Error('it is not opened again'));
  const look = { files: () => Promise.resolve(new Map()), uploads: () => Promise.resolve(new Map()) };
  const options = { place, openFiles, identity, commitUntouched, reopen, look };
  const written = new WrittenFile(upload, options);
  openFiles.addWritten(written);
  const file = new WritableFile(written, { append });
  return { file, calls, writes, openFiles };
}

describe('a file being written', () => {
  it('is committed by close, after every write', async () => {
    const { file, calls, writes } = createRig();
    const written = [file.write(0, Buffer.alloc(5)), file.write(5, Buffer.alloc(5))];
    const closed = file.close();
    writes[1]?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).not.toContain('commit');
    writes[0]?.resolve();
    await Promise.all([...written, closed]);
    expect(calls).toEqual(['write 0', 'write 5', 'commit']);
  });

  it('is not committed after a failed write; close reports the first failure', async () => {
    const { file, calls, writes } = createRig();
    const written = Promise.allSettled([file.write(0, Buffer.alloc(5)), file.write(5, Buffer.alloc(5))]);
    writes[1]?.reject(new Error('first'));
    await new Promise((resolve) => setImmediate(resolve));
    writes[0]?.reject(new Error('second'));
    await written;
    await expect(file.close()).rejects.toThrow('first');
    expect(calls).toContain('discard');
    expect(calls).not.toContain('commit');
  });

  it('is kept for later when the client vanishes, unless there is nothing to keep or it is broken', async () => {
    const kept = createRig();
    void kept.file.write(0, Buffer.alloc(5));
    kept.writes[0]?.resolve();
    await kept.file.suspend();
    expect(kept.calls.at(-1)).toBe('suspend');

    const empty = createRig();
    await empty.file.suspend();
    expect(empty.calls).toEqual(['discard']);

    const broken = createRig();
    const failed = broken.file.write(0, Buffer.alloc(5));
    broken.writes[0]?.reject(new Error('disk'));
    await expect(failed).rejects.toThrow('disk');
    await broken.file.suspend();
    expect(broken.calls.at(-1)).toBe('discard');
  });

  it('that was there before and is left untouched is not committed again', async () => {
    const { file, calls } = createRig({ commitUntouched: false });
    await file.truncate(0);
    await file.close();
    expect(calls).toEqual(['discard']);
  });

  it('opened to append takes every write at its end', async () => {
    const { file, calls, writes } = createRig({ append: true });
    void file.write(0, Buffer.alloc(5));
    void file.write(0, Buffer.alloc(5));
    for (const write of writes) write.resolve();
    await file.close();
    expect(calls).toEqual(['write 0', 'write 5', 'commit']);
  });

  it('is not committed once the session has removed it', async () => {
    const { file, calls, writes, openFiles } = createRig();
    void file.write(0, Buffer.alloc(5));
    for (const write of writes) write.resolve();
    openFiles.removed(placeOf('/a'), ['blob']);
    await file.close();
    expect(calls).toEqual(['write 0', 'discard']);
  });

  it('is committed where the session has renamed it to, also with the folder that it is in', async () => {
    const { file, calls, openFiles } = createRig();
    openFiles.renamed(placeOf('/a'), placeOf('/folder/b'), { moved: ['blob'], removed: [] });
    openFiles.renamed(placeOf('/folder'), placeOf('/other'), { moved: [], removed: [] });
    expect(file.describe().name).toBe('b');
    expect(file.written.place.vfsPath).toBe('/other/b');
    await file.close();
    expect(calls).toEqual(['moveTo /folder/b', 'commit']);
  });

  it('stays where it is when a rename by the session did not find it there', async () => {
    const { file, calls, openFiles } = createRig();
    openFiles.renamed(placeOf('/a'), placeOf('/b'), { moved: [], removed: [] });
    expect(file.written.place.vfsPath).toBe('/a');
    await file.close();
    expect(calls).toEqual(['commit']);
  });

  it('is committed by the CLOSE of each of its handles, and only when there is something new', async () => {
    const { file, calls, writes, openFiles } = createRig();
    const second = new WritableFile(file.written.share(), { append: true });
    void second.write(0, Buffer.alloc(5));
    for (const write of writes) write.resolve();
    await file.close();
    await second.close();
    expect(calls).toEqual(['write 0', 'commit']);
    expect(openFiles.writtenAt(placeOf('/a'))).toBeUndefined();
  });
});
