import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { createMounts } from '@waybill/directory/access/mounts';
import { expect, it } from 'vitest';
import type { FileUser } from '../permissions/file-user.ts';
import { removeFile } from './remove-file.ts';

const acme = userNameSchema.parse('acme');
const vfs = { id: '1', name: 'files', aclEnabled: false };
const mounts = createMounts({ name: 'acme', groups: [] }, [
  { vfs, mountPath: rootPath, connectionContract: 'contract', acl: undefined },
]);

/** A user whose only file is an unfinished upload; `deleted` are the paths that were deleted. */
function userWithUpload({ isShown }: { isShown: boolean }) {
  const deleted: VirtualPath[] = [];
  const user: FileUser<'deleteFile'> = {
    userName: acme,
    door: { showsUploadsOf: isShown ? acme : undefined, checksInOrder: !isShown, shownBy: ['list'] },
    store: {
      find: () => Promise.resolve(undefined),
      deleteFile: (_vfsId, path) => {
        deleted.push(path);
        return Promise.resolve({ file: undefined, removed: [] });
      },
    },
    access: () => Promise.resolve(mounts),
    originAt: () => ({
      userName: acme,
      actorName: 'acme',
      clusterName: 'cluster1',
      peerName: 'peer1',
      serverName: 'server1',
      protocol: 'HTTP',
    }),
  };
  return { user, deleted };
}

const path = parseVirtualPath('/a.csv');

it('deletes the unfinished upload of a user who sees it', async () => {
  const { user, deleted } = userWithUpload({ isShown: true });
  await removeFile(user, path);
  expect(deleted).toEqual([path]);
});

it('leaves the unfinished upload of a user who does not see it, to whom the file is missing', async () => {
  const { user, deleted } = userWithUpload({ isShown: false });
  await expect(removeFile(user, path)).rejects.toMatchObject({ code: 'file_not_found', names: { file: 'a.csv' } });
  expect(deleted).toEqual([]);
});
