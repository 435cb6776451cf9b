import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import type { RemoteFile, RemoteSession } from '../peer/remote-session.ts';
import { readRemote, unsettledBytes, writeRemote } from './remote-content.ts';
import { callSftp, sftpStatus, statusOf, type SftpCallback, type SftpCallLimits } from './sftp-call.ts';

/** A session over an open channel. */
export function createSftpSession(sftp: SFTPWrapper, limits: SftpCallLimits): RemoteSession {
  const call = <T>(what: string, signal: AbortSignal, start: (done: SftpCallback<T>) => void): Promise<T | undefined> =>
    callSftp(limits, what, { signal, start });
  const rename = (from: string, to: string, signal: AbortSignal): Promise<void> =>
    call<void>(`rename ${from} to ${to}`, signal, (done) => sftp.rename(from, to, done));
  const remove = (path: string, signal: AbortSignal): Promise<void> =>
    call<void>(`remove ${path}`, signal, (done) => sftp.unlink(path, done));
  const stat = async (path: string, signal: AbortSignal): Promise<RemoteFile | undefined> => {
    try {
      const stats = await call<Stats>(`stat ${path}`, signal, (done) => sftp.stat(path, done));
      return stats && describe(stats);
    } catch (error) {
      if (isCodedError(error, 'remote_refused') && statusOf(error) === sftpStatus.noSuchFile) return undefined;
      throw error;
    }
  };
  /** Servers without the extension refuse to rename over a file: remove it first. */
  const replaceInSteps = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
    if (await stat(to, signal)) await remove(to, signal);
    await rename(from, to, signal);
  };

  return {
    unsettledBytes,
    stat,
    rename,
    remove,
    list: async (path, isWanted, signal) => {
      const entries = await call<FileEntryWithStats[]>(`list ${path}`, signal, (done) => sftp.readdir(path, done));
      return (entries ?? [])
        .filter(({ filename }) => isWanted(filename))
        .map(({ filename: name, attrs }) => ({ name, ...describe(attrs) }));
    },
    read: (path, offset, signal) => readRemote({ sftp, limits, path, signal }, offset),
    write: (path, content, offset, signal) => writeRemote({ sftp, limits, path, signal }, content, offset),
    replace: async (from, to, signal) => {
      const start = (done: SftpCallback<void>): void => sftp.ext_openssh_rename(from, to, done);
      try {
        await call<void>(`rename ${from} to ${to}`, signal, start);
      } catch (error) {
        if (!isUnsupported(error)) throw error;
        await replaceInSteps(from, to, signal);
      }
    },
  };
}

/** ssh2 throws without a code if the server has not announced the extension. */
function isUnsupported(error: unknown): boolean {
  if (statusOf(error) === sftpStatus.unsupported) return true;
  return isCodedError(error, 'connection_failed') && /does not support/u.test(error.message);
}

function describe(stats: Pick<Stats, 'size' | 'mtime' | 'mode'>): RemoteFile {
  return {
    size: stats.size,
    kind: kindOf(stats.mode),
    modifiedAt: stats.mtime,
  };
}

/** Servers may leave the type out. */
function kindOf(mode: number): RemoteFile['kind'] {
  const format = mode & 0o170000;
  if (format === 0o040000) return 'folder';
  return format === 0o100000 || format === 0 ? 'file' : 'other';
}
