import { describe, expect, it } from 'vitest';
import { WritableFile, type WrittenUpload } from './writable-file.ts';

/** An upload that notes what is done to it, and whose writes settle when the test says so. */
function createRig({ append = false, deliverUntouched = true } = {}) {
  const calls: string[] = [];
  const writes: PromiseWithResolvers<void>[] = [];
  let size = 0;
  const note = (call: string) => () => {
    calls.push(call);
    return Promise.resolve();
  };
  const upload: WrittenUpload = {
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
    setMetadata: () => void calls.push('setMetadata'),
    commit: note('commit'),
    abort: note('abort'),
    suspend: note('suspend'),
  };
  const file = new WritableFile(upload, {
    name: 'a',
    identity: { vfsId: 'vfs', id: undefined },
    metadata: {},
    append,
    deliverUntouched,
  });
  return { file, calls, writes };
}

describe('a file being written', () => {
  it('is delivered by close, after every write', async () => {
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

  it('is not delivered after a failed write; close reports the first failure', async () => {
    const { file, calls, writes } = createRig();
    const written = Promise.allSettled([file.write(0, Buffer.alloc(5)), file.write(5, Buffer.alloc(5))]);
    writes[1]?.reject(new Error('first'));
    await new Promise((resolve) => setImmediate(resolve));
    writes[0]?.reject(new Error('second'));
    await written;
    await expect(file.close()).rejects.toThrow('first');
    expect(calls).toContain('abort');
    expect(calls).not.toContain('commit');
  });

  it('is kept for later when the client vanishes, unless there is nothing to keep or it is broken', async () => {
    const kept = createRig();
    void kept.file.write(0, Buffer.alloc(5));
    kept.writes[0]?.resolve();
    await kept.file.abandon();
    expect(kept.calls.at(-1)).toBe('suspend');

    const empty = createRig();
    await empty.file.abandon();
    expect(empty.calls).toEqual(['abort']);

    const broken = createRig();
    const failed = broken.file.write(0, Buffer.alloc(5));
    broken.writes[0]?.reject(new Error('disk'));
    await expect(failed).rejects.toThrow('disk');
    await broken.file.abandon();
    expect(broken.calls.at(-1)).toBe('abort');
  });

  it('that was there before and is left untouched is not delivered again', async () => {
    const { file, calls } = createRig({ deliverUntouched: false });
    await file.truncate(0);
    await file.close();
    expect(calls).toEqual(['abort']);
  });

  it('opened to append takes every write at its end', async () => {
    const { file, calls, writes } = createRig({ append: true });
    void file.write(0, Buffer.alloc(5));
    void file.write(0, Buffer.alloc(5));
    for (const write of writes) write.resolve();
    await file.close();
    expect(calls).toEqual(['write 0', 'write 5', 'commit']);
  });
});
