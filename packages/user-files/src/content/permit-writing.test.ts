import type { Permission } from '@waybill/contracts/values/permission';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { createMounts } from '@waybill/directory/access/mounts';
import { expect, it } from 'vitest';
import type { Door } from '../permissions/file-user.ts';
import { findToWrite, permitWriting, permitWritingAnywhere } from './permit-writing.ts';
import { requireConditionSight, writeTermsOf } from './write-condition.ts';

const acme = userNameSchema.parse('acme');
const path = parseVirtualPath('/in/a.csv');
const sftp: Door = { showsUploadsOf: acme, checksInOrder: false, shownBy: ['list'] };
const http: Door = { showsUploadsOf: undefined, checksInOrder: true, shownBy: ['list'] };

/** A user of an empty file system with the folder `/in`; `asked` are the paths that were looked at. */
function userWith(door: Door, rules: Readonly<Record<string, readonly Permission[]>>) {
  const asked: VirtualPath[] = [];
  const acl = Object.entries(rules).map(([at, permissions]) => ({
    path: parseVirtualPath(at),
    grants: [{ user: 'acme', permissions }],
  }));
  const mount = {
    vfs: { id: '1', name: 'files', aclEnabled: true },
    mountPath: rootPath,
    connectionContract: 'contract',
  };
  const mounts = createMounts({ name: 'acme', groups: [] }, [{ ...mount, acl }]);
  const at = new Date(0);
  const folder = { kind: 'folder' as const, id: '2', vfsId: '1', owner: '', createdAt: at, modifiedAt: at };
  const find = (_vfsId: string, place: VirtualPath) => {
    asked.push(place);
    return Promise.resolve(place === '/in' || place === rootPath ? { ...folder, path: place, name: 'in' } : undefined);
  };
  return { user: { userName: acme, door, store: { find }, access: () => Promise.resolve(mounts) }, asked };
}

it('a write that replaces what is there takes no statement before it begins, unless the door checks in order', async () => {
  const { user, asked } = userWith(sftp, { '/': ['upload'] });
  await permitWriting(user, path);
  expect(await findToWrite(user, path, { creates: true, replaces: true })).toBeUndefined();
  expect(asked).toEqual([]);
  const ordered = userWith(http, { '/': ['upload'] });
  await permitWriting(ordered.user, path);
  expect(ordered.asked).toEqual(['/in/a.csv', '/in']);
});

it('only a user who may learn of files may ask whether a name is free', async () => {
  for (const door of [sftp, http]) {
    const { user } = userWith(door, { '/': ['upload'] });
    const place = await permitWriting(user, path);
    const refusal = { code: 'no_list_permission' };
    await expect(requireConditionSight(user, place, { kind: 'absent' })).rejects.toMatchObject(refusal);
    await expect(requireConditionSight(user, place, { kind: 'unmodified' })).rejects.toMatchObject(refusal);
    expect(writeTermsOf(user, place, undefined)).toMatchObject({ overwrite: true, countsAsNew: true });
  }
});

it('a name is taken beside the unfinished uploads that the door does not show, and never beside those that it shows', async () => {
  for (const [door, besideUploads] of [
    [sftp, false],
    [http, true],
  ] as const) {
    const { user } = userWith(door, { '/': ['list', 'upload'] });
    const place = await permitWriting(user, path);
    await requireConditionSight(user, place, { kind: 'absent' });
    const terms = { overwrite: false, besideUploads, countsAsNew: false };
    expect(writeTermsOf(user, place, { kind: 'absent' })).toEqual(terms);
  }
});

it('content that gets its place later waits in the first folder in which the user may write', async () => {
  const { user } = userWith(http, { '/': ['list'], '/gone': ['upload'], '/in': ['upload'] });
  expect((await permitWritingAnywhere(user, 'part')).path).toBe('/in/part');
  const reader = userWith(http, { '/': ['list'] });
  await expect(permitWritingAnywhere(reader.user, 'part')).rejects.toMatchObject({ code: 'no_write_permission' });
});
