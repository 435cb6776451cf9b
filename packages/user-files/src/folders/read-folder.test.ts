import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';
import { parseVirtualPath, rootPath } from '@waybill/contracts/values/virtual-path';
import { createMounts } from '@waybill/directory/access/mounts';
import { describe, expect, it } from 'vitest';
import { readFolder, type FolderView } from './read-folder.ts';

const own = { vfs: { id: '1', name: 'own', aclEnabled: true }, mountPath: rootPath, connectionContract: 'contract' };
const shared = { ...own, vfs: { ...own.vfs, id: '2' }, mountPath: parseVirtualPath('/way/shared') };
const vfsOf = ({ location }: FolderView) => location?.vfs.id;

/** A user of an empty file system with another one mounted at `/way/shared`, and how often it was looked at. */
function readerWith(checksInOrder: boolean, rules: Readonly<Record<string, readonly Permission[]>>) {
  const looks = { count: 0 };
  const acl = Object.entries(rules).map(([path, permissions]) => ({
    path: parseVirtualPath(path),
    grants: [{ user: 'acme', permissions }],
  }));
  const mounts = createMounts({ name: 'acme', groups: [] }, [
    { ...own, acl },
    { ...shared, acl: undefined },
  ]);
  const find = () => {
    looks.count += 1;
    return Promise.resolve(undefined);
  };
  const door = { showsUploadsOf: undefined, checksInOrder, shownBy: ['list'] } as const;
  return { user: { door, store: { find }, access: () => Promise.resolve(mounts) }, looks };
}

describe.each([
  ['over SFTP', false],
  ['over HTTP', true],
])('%s', (_door, checksInOrder) => {
  it('a folder is read without a look before, and without the names that are hidden', async () => {
    const { user, looks } = readerWith(checksInOrder, { '/': ['list'], '/hidden': [] });
    const view = await readFolder(user, rootPath, (shown) => Promise.resolve(shown));
    expect(view).toMatchObject({ mounted: ['way'], hidden: ['way', 'hidden'] });
    expect([vfsOf(view), looks.count]).toEqual(['1', 0]);
  });

  it('a folder that only leads to a mount is read although the file system does not have it', async () => {
    const { user } = readerWith(checksInOrder, { '/': ['list'] });
    const missing = new CodedError('path_not_found', { names: { path: '/way' } });
    const read = (view: FolderView) => (vfsOf(view) === undefined ? Promise.resolve(view) : Promise.reject(missing));
    expect(await readFolder(user, parseVirtualPath('/way'), read)).toMatchObject({ mounted: ['shared'] });
  });

  it('a folder without the list permission is never read', async () => {
    const { user } = readerWith(checksInOrder, { '/': ['upload'] });
    const read = () => Promise.reject(new Error('it was read'));
    await expect(readFolder(user, rootPath, read)).rejects.toMatchObject({ code: 'no_list_permission' });
  });
});
