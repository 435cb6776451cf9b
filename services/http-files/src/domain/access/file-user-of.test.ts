import { CodedError } from '@waybill/contracts/errors/coded-error';
import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { nameOf, parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { createMounts } from '@waybill/directory/access/mounts';
import { unchangedAccess, type UserHold } from '@waybill/directory/standing/user-hold';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { Entry } from '@waybill/filebox/model/entry';
import { expect, test } from 'vitest';
import { createFetchFile } from '../downloads/fetch-file.ts';
import { createPlanArchive } from '../downloads/plan-archive.ts';
import { createMakeFolder } from '../elements/make-folder.ts';
import { createMoveElement } from '../elements/move-element.ts';
import { createRemoveFile } from '../elements/remove-file.ts';
import { createRemoveFolder } from '../elements/remove-folder.ts';
import { createUpdateMetadata } from '../elements/update-metadata.ts';
import type { TransferringCaller } from './caller.ts';
import { createFileAccess } from './file-access.ts';
import { elementTargetOf, fileTargetOf } from './file-target.ts';

const fileset = filesetIdSchema.parse('7');
const core = { vfsId: '1', owner: 'hooli', createdAt: new Date(0), modifiedAt: new Date(0) };

/** In the file system, which the user has under `/own`: `/reports/a.csv`, and the empty folder `/kept`. */
const find = async (_vfsId: string, path: VirtualPath): Promise<Entry | undefined> => {
  const place = { ...core, path, name: nameOf(path) };
  if (['/', '/reports', '/kept'].includes(path)) return { ...place, kind: 'folder', id: '1' };
  if (path !== '/reports/a.csv') return undefined;
  const content = {
    storageClass: 'local',
    blobId: 'b',
    size: 1,
    sha256: '',
    mediaType: 'text/csv',
    putAt: new Date(0),
  };
  const times = { firstReadAt: undefined, lastReadAt: undefined, expiresAt: undefined };
  const dfic = { dfiid: 'd', lcid: 'l', userAttrs: {} };
  return { ...place, kind: 'file', id: fileset, fileset, ...content, ...times, metadata: {}, systemMetadata: {}, dfic };
};

/** What the file system says of a path of its own when the folder vanished after it was looked at. */
const isGone = (inner: string) => async (): Promise<never> => {
  throw new CodedError('path_not_found', { names: { path: inner } });
};

const vfs = { id: '1', name: 'hooli-files', aclEnabled: false };
const mounts = createMounts({ name: userNameSchema.parse('hooli'), groups: [] }, [
  { vfs, mountPath: parseVirtualPath('/own'), connectionContract: 'hooli-http', acl: undefined },
]);
const user: PartnerUser = {
  id: '1',
  name: userNameSchema.parse('hooli'),
  actorId: '1',
  actorName: 'hooli',
  passwordHash: undefined,
  publicKeys: [],
  authentication: 'either',
  legacyAlgorithms: undefined,
  groups: [],
  endedGroups: [],
  groupsExpire: undefined,
  maxSessions: null,
  networks: [],
  expires: undefined,
  enabled: true,
  loginEpoch: 0,
  accessVersion: 0,
};
const hold: UserHold = {
  signal: new AbortController().signal,
  require: () => {},
  branch: () => hold,
  condition: unchangedAccess,
  bindings: () => ({ accessVersion: 0 }),
  renew: async () => {},
  [Symbol.dispose]: () => {},
};
const caller: TransferringCaller = {
  userName: user.name,
  sessionId: 's',
  sessionHandle: 'h',
  user,
  login: { loginEpoch: 0, addresses: [] },
  mounts,
  hold,
  transfer: { path: null },
};
const access = createFileAccess({ filebox: { find } });
const server = { clusterName: 'cluster1', peerName: 'peer1', serverName: 'http-server' };
const file = fileTargetOf('own/reports/a.csv');
const folder = elementTargetOf('own/reports');
const elsewhere = elementTargetOf('own/kept/b.csv');
const move = { from: file, to: elsewhere, overwrite: false, conditions: {} };
const ports = { access, server };

test.each<[string, () => Promise<unknown>, string]>([
  [
    'read from',
    () => createFetchFile({ ...ports, filebox: { find, openDownload: isGone('/reports') } })(caller, file),
    folder.path,
  ],
  [
    'deleted from',
    () => createRemoveFile({ ...ports, filebox: { find, deleteFile: isGone('/reports') } })(caller, file, {}),
    folder.path,
  ],
  [
    'described in',
    () =>
      createUpdateMetadata({ ...ports, filebox: { find, setMetadata: isGone('/reports') } })(caller, file, {
        values: { A: '1' },
        conditions: {},
      }),
    folder.path,
  ],
  [
    'deleted itself',
    () =>
      createRemoveFolder({ ...ports, filebox: { find, deleteFolder: isGone('/reports') } })(caller, folder, {
        recursive: true,
      }),
    folder.path,
  ],
  [
    'to get a folder',
    () => createMakeFolder({ ...ports, filebox: { find, createFolder: isGone('/kept') } })(caller, elsewhere),
    elsewhere.folder,
  ],
  [
    'moved from',
    () => createMoveElement({ ...ports, filebox: { find, rename: isGone('/reports') } })(caller, move),
    folder.path,
  ],
  [
    'moved to',
    () => createMoveElement({ ...ports, filebox: { find, rename: isGone('/kept') } })(caller, move),
    elsewhere.folder,
  ],
  [
    'archived',
    () => createPlanArchive({ filebox: { find, scan: isGone('/reports') } })(mounts, folder.path),
    folder.path,
  ],
])('a folder under a mount that vanishes when it is %s is called as the caller calls it', async (_what, work, path) => {
  await expect(work()).rejects.toMatchObject({ code: 'path_not_found', names: { path } });
});

test('a folder that is not named is the one that the caller named', async () => {
  const unnamed = async (): Promise<never> => {
    throw new CodedError('path_not_found');
  };
  const makeFolder = createMakeFolder({ ...ports, filebox: { find, createFolder: unnamed } });
  await expect(makeFolder(caller, elsewhere)).rejects.toMatchObject({ names: { path: '/own/kept' } });
});

test('what else goes wrong is told as it is', async () => {
  const refuse = async (): Promise<never> => {
    throw new CodedError('file_not_found', { names: { file: 'a.csv' } });
  };
  const fetchFile = createFetchFile({ ...ports, filebox: { find, openDownload: refuse } });
  await expect(fetchFile(caller, file)).rejects.toMatchObject({ code: 'file_not_found', names: { file: 'a.csv' } });
});
