import type { UserName } from '@waybill/contracts/values/user-name';
import { resolveVirtualPath, rootPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Directory } from '@waybill/directory/directory';
import type { UserHold } from '@waybill/directory/standing/user-hold';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { DownloadCoverage } from '@waybill/download-coverage/download-coverage';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import type { Door } from '@waybill/user-files/permissions/file-user';
import { auditedSession, type ServerAddress } from '../../sessions/server-session.ts';
import type { SessionAudit } from '../../sessions/session-audit.ts';
import { createDownloadRecords } from '../content/download-records.ts';
import { OpenFiles } from '../handles/open-files.ts';
import type { FileSession, FileStore } from './file-session.ts';

/** Clients resume their uploads by what they see, and what is not to be seen is missing, as in a listing. */
const sftpDoorOf = (userName: UserName): Door => ({
  showsUploadsOf: userName,
  checksInOrder: false,
  // By STAT.
  shownBy: ['list', 'download', 'delete', 'rename'],
});

/** A login, with its client. */
export interface FileLogin {
  readonly user: PartnerUser;
  readonly sessionId: string;
  readonly hold: Pick<UserHold, 'branch'>;
  readonly client: CausingClient;
}

/** The files of a user who has just logged in. What the user reaches is asked anew for every operation. */
export function createFileSession(
  ports: {
    directory: Pick<Directory, 'openMounts'>;
    store: FileStore;
    coverage: DownloadCoverage;
    audit: Pick<SessionAudit, 'folderChanged' | 'refused'>;
    server: ServerAddress;
  },
  login: FileLogin,
): FileSession {
  const { directory, store, coverage, audit, server } = ports;
  const { user, sessionId, hold, client } = login;
  const access = () => directory.openMounts(user, { cluster: server.clusterName, server: server.serverName });
  let folder = rootPath;
  return {
    userName: user.name,
    user,
    door: sftpDoorOf(user.name),
    sessionId,
    store,
    openFiles: new OpenFiles(),
    records: createDownloadRecords(),
    coverage,
    access,
    refused: async (operation, error) => {
      const virtualFileSystem = await findVfsName(access, operation.path);
      await audit.refused({ ...operation, error, userName: user.name, sessionId, client, virtualFileSystem });
    },
    enterFolder: async (path, virtualFileSystem) => {
      if (path === folder) return;
      folder = path;
      await audit.folderChanged({ userName: user.name, path, sessionId, client, virtualFileSystem });
    },
    latestLook: createLatestLook(),
    rightTo: (permission, { vfs, path }, grantedBy) => hold.branch({ vfsId: vfs.id, path, permission }, grantedBy),
    originAt: ({ vfs, mount }) => ({
      ...server,
      userName: user.name,
      actorName: user.actorName,
      protocol: 'SFTP',
      vfsName: vfs.name,
      connectionContract: mount.connectionContract,
      sessionId: auditedSession(sessionId),
      client,
    }),
  };
}

/** The virtual file system of a path as the client gave it; undefined if it is none, or unknown. */
async function findVfsName(access: () => Promise<Mounts>, path: string): Promise<string | undefined> {
  try {
    return (await access()).locate(resolveVirtualPath(rootPath, Buffer.from(path)))?.vfs.name;
  } catch {
    return undefined;
  }
}

function createLatestLook(): FileSession['latestLook'] {
  let looked: FileEntry | undefined;
  return {
    note: (file) => (looked = file),
    at: ({ vfs, path }) => (looked?.vfsId === vfs.id && looked.path === path ? looked : undefined),
  };
}
