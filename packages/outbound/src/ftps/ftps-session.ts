import { PassThrough, Readable } from 'node:stream';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { type FileInfo, FileType } from 'basic-ftp';
import type { RemoteEntry, RemoteFile, RemoteSession } from '../peer/remote-session.ts';
import { callFtps, fileUnavailable, type FtpsCalls, replyOf } from './ftps-call.ts';
import { confirmedHandshake } from './open-data-connection.ts';

/** A session over a control connection that has logged in. */
export function createFtpsSession(calls: FtpsCalls): RemoteSession {
  const { client } = calls;
  const call = <T>(what: string, signal: AbortSignal, start: () => Promise<T>): Promise<T> =>
    callFtps(calls, what, { signal, start });
  const stat = (path: string, signal: AbortSignal): Promise<RemoteFile | undefined> => statFtps(calls, path, signal);
  const remove = async (path: string, signal: AbortSignal): Promise<void> => {
    await call(`remove ${path}`, signal, () => client.remove(path));
  };
  const renameOver = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
    await call(`rename ${from} to ${to}`, signal, () => client.rename(from, to));
  };
  return {
    // The bytes of a file arrive and are written in order.
    unsettledBytes: 0,
    stat,
    remove,
    rename: renameOver,
    list: async (path, isWanted, signal) => {
      const found = await call(`list ${path}`, signal, () => client.list(path));
      const entries: RemoteEntry[] = [];
      for (const info of found.filter(({ name }) => isNameable(name) && isWanted(name))) {
        const known = entryOf(info);
        // The list of an older server has no exact times.
        const exact = known.kind === 'file' && !info.modifiedAt ? await stat(below(path, info.name), signal) : known;
        if (exact) entries.push({ ...exact, name: info.name });
      }
      return entries;
    },
    read: (path, offset, signal) => readFtps(calls, path, { offset, signal }),
    write: (path, content, offset, signal) => writeFtps(calls, { path, content, offset }, signal),
    replace: async (from, to, signal) => {
      try {
        await renameOver(from, to, signal);
      } catch (error) {
        // Some servers refuse to rename over a file: remove it first.
        if (!isCodedError(error, 'remote_refused') || !(await stat(to, signal))) throw error;
        await remove(to, signal);
        await renameOver(from, to, signal);
      }
    },
  };
}

const kinds: Readonly<Record<FileType, RemoteFile['kind']>> = {
  [FileType.File]: 'file',
  [FileType.Directory]: 'folder',
  [FileType.SymbolicLink]: 'other',
  [FileType.Unknown]: 'other',
};

async function statFtps(calls: FtpsCalls, path: string, signal: AbortSignal): Promise<RemoteFile | undefined> {
  const start = () => calls.client.size(path);
  try {
    const size = await callFtps(calls, `look at ${path}`, { signal, start });
    return { size, kind: 'file', modifiedAt: await timeOf(calls, path, signal) };
  } catch (error) {
    if (replyOf(error) === fileUnavailable) return undefined;
    throw error;
  }
}

/** 0 if the server cannot tell. */
async function timeOf(calls: FtpsCalls, path: string, signal: AbortSignal): Promise<number> {
  const start = () => calls.client.lastMod(path);
  try {
    const date = await callFtps(calls, `look at ${path}`, { signal, start });
    return Math.floor(date.getTime() / 1_000);
  } catch (error) {
    if (isCodedError(error, 'remote_refused') && replyOf(error) !== fileUnavailable) return 0;
    throw error;
  }
}

/** Whether a command can name it. */
function isNameable(name: string): boolean {
  return !/[\r\n\0]/u.test(name) && name !== '.' && name !== '..';
}

function entryOf({ type, size, modifiedAt }: FileInfo): RemoteFile {
  return { kind: kinds[type], size, modifiedAt: Math.floor((modifiedAt?.getTime() ?? 0) / 1_000) };
}

function below(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

async function writeFtps(
  calls: FtpsCalls,
  { path, content, offset }: { path: string; content: AsyncIterable<Buffer>; offset: number },
  signal: AbortSignal,
): Promise<number> {
  const { client } = calls;
  const state = { end: offset };
  const source = Readable.from(counted(calls, content, state), { objectMode: false });
  const start = () => (offset === 0 ? client.uploadFrom(source, path) : client.appendFrom(source, path));
  try {
    await callFtps(calls, `write ${path}`, { signal, start });
  } finally {
    source.destroy();
  }
  return state.end;
}

/** The bytes of a file. It ends only after the server has confirmed that it has sent everything. */
async function* readFtps(
  calls: FtpsCalls,
  path: string,
  { offset, signal }: { offset: number; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const bytes = new PassThrough();
  const start = () => calls.client.downloadTo(bytes, path, offset);
  const sent = callFtps(calls, `read ${path}`, { signal, start }).then(
    () => undefined,
    (error: unknown) => {
      bytes.destroy();
      return error instanceof Error ? error : new Error('it failed', { cause: error });
    },
  );
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw (await sent) ?? error;
  } finally {
    bytes.destroy();
  }
  const failure = await sent;
  if (failure) throw failure;
}

/** How long the end of an empty file waits for the ticket of a server that sends none. */
const ticketWaitMs = 1_000;

async function* counted(
  { client }: FtpsCalls,
  content: AsyncIterable<Buffer>,
  state: { end: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield chunk;
    state.end += chunk.length;
  }
  // Node.js would end a TLS connection without data before the last message of its handshake is sent.
  if (state.end === 0) await confirmedHandshake(client.ftp.dataSocket, ticketWaitMs);
}
