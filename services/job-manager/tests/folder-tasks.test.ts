import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await query(
    `DELETE FROM filebox.entries WHERE kind = 'file' OR name IN ('new', 'deep', 'folder') OR name LIKE 'bulk%'`,
  );
});

const query = (sql: string, ...values: unknown[]) => rig.platform.database.query(sql, values);
const code = (name: string): unknown => expect.objectContaining({ code: name });

describe('the task list', () => {
  const list = (given: Readonly<Record<string, unknown>> = {}) => rig.run('list', { folder: '/inbox', ...given });

  it('lists files by pattern, size, age and number', async () => {
    for (const [name, size] of [
      ['a.csv', 1],
      ['b.csv', 20],
      ['c.txt', 3],
    ] as const) {
      await rig.deliver(`/inbox/${name}`, 'x'.repeat(size));
    }
    expect(await list()).toMatchObject({ count: '3', size: '24', complete: true });
    expect(await list({ pattern: '*.csv', minSize: 2 })).toMatchObject({
      paths: ['/inbox/b.csv'],
      files: [{ path: '/inbox/b.csv', name: 'b.csv', kind: 'file', size: '20' }],
    });
    expect(await list({ limit: 2 })).toMatchObject({ paths: ['/inbox/a.csv', '/inbox/b.csv'], complete: false });
    expect(await list({ minAgeSeconds: 3_600 })).toMatchObject({ count: '0', complete: true });
    const old = new Date(Date.now() - 7_200_000);
    await rig.platform.filebox.setTimes(rig.platform.vfsId, parseVirtualPath('/inbox/c.txt'), { modifiedAt: old });
    expect(await list({ minAgeSeconds: 3_600 })).toMatchObject({ paths: ['/inbox/c.txt'] });
    expect(await list({ maxAgeSeconds: 3_600 })).toMatchObject({ paths: ['/inbox/a.csv', '/inbox/b.csv'] });
    expect(await rig.run('list', { folder: '/', kind: 'folders' })).toMatchObject({ count: '3' });
  });

  it('reads a folder of more than one part to its end', async () => {
    await query(
      `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
       SELECT vfs_id, id, 'folder', 'bulk' || lpad(n::text, 5, '0'), '' FROM filebox.entries, generate_series(1, 2500) AS n
       WHERE vfs_id = $1 AND name = 'inbox'`,
      rig.platform.vfsId,
    );
    expect(await list({ kind: 'folders', limit: 5_000 })).toMatchObject({ count: '2500', complete: true });
    expect(await list({ kind: 'folders', limit: 1_001 })).toMatchObject({ count: '1001', complete: false });
  });

  it('needs the right, and an existing folder', async () => {
    await expect(rig.run('list', { folder: 'globex-files:/secret' })).rejects.toEqual(code('no_list_permission'));
    await expect(rig.run('list', { folder: '/absent' })).rejects.toEqual(code('path_not_found'));
    const paths = await rig.run('list', { folder: 'globex-files:/readable' });
    expect(paths).toMatchObject({ count: '0' });
  });
});

describe('the task exists', () => {
  it('finds files, folders and nothing', async () => {
    await rig.deliver('/inbox/a', 'abc');
    expect(await rig.run('exists', { path: '/inbox/a' })).toMatchObject({ exists: true, kind: 'file', size: '3' });
    expect(await rig.run('exists', { path: '/inbox' })).toMatchObject({ exists: true, kind: 'folder', size: '0' });
    expect(await rig.run('exists', { path: '/absent/b' })).toMatchObject({ exists: false, kind: '', modifiedAt: '' });
  });
});

describe('the tasks for folders', () => {
  it('create a folder with those above it, once', async () => {
    await expect(rig.run('make-folder', { path: '/outbox/new/deep' })).rejects.toEqual(code('path_not_found'));
    const path = '/outbox/new/deep';
    expect(await rig.run('make-folder', { path, parents: true })).toEqual({ path, created: true });
    expect(await rig.run('make-folder', { path, parents: true })).toEqual({ path, created: false });
    const there = { path: 'globex-files:/inbox/new/deep', parents: true };
    expect(await rig.run('make-folder', there)).toMatchObject({ created: true });
    await rig.deliver('/outbox/a', '');
    await expect(rig.run('make-folder', { path: '/outbox/a' })).rejects.toEqual(code('already_exists'));
  });

  it('delete empty ones, and others only with their content', async () => {
    await rig.run('make-folder', { path: '/outbox/folder' });
    await rig.deliver('/outbox/folder/a', 'a');
    await expect(rig.run('delete', { path: '/outbox/folder' })).rejects.toEqual(code('folder_not_empty'));
    const claimed = await rig.claimNew();
    const given = { path: '/outbox/folder', recursive: true };
    expect(await rig.run('delete', given, { claimed })).toMatchObject({ deleted: true });
    // The folder of a later file is not that of the step.
    await rig.run('make-folder', { path: '/outbox/folder' });
    const again = { claimed: await rig.takeOver(claimed), attempt: 2 };
    expect(await rig.run('delete', given, again)).toMatchObject({ deleted: true });
    expect(await rig.run('exists', { path: '/outbox/folder' })).toMatchObject({ exists: true });
    expect(await rig.run('delete', { path: '/outbox/absent', ifMissing: 'ignore' })).toMatchObject({ deleted: false });
  });

  it('delete nothing after the lease was lost', async () => {
    for (const recursive of [false, true]) {
      await rig.run('make-folder', { path: '/outbox/folder' });
      const claimed = await rig.claimNew();
      await rig.takeOver(claimed);
      await expect(rig.run('delete', { path: '/outbox/folder', recursive }, { claimed })).rejects.toMatchObject({
        name: 'Interruption',
      });
      expect(await rig.run('exists', { path: '/outbox/folder' })).toMatchObject({ exists: true });
    }
  });
});
