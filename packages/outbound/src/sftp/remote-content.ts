import type { SFTPWrapper } from 'ssh2';
import { callSftp, type SftpCallback, type SftpCallLimits } from './sftp-call.ts';

/** A file of a server, for its content. */
export interface RemoteContent {
  readonly sftp: SFTPWrapper;
  readonly limits: SftpCallLimits;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Bytes of one request: what every server accepts (draft-ietf-secsh-filexfer-02, section 3). */
const requestBytes = 32 * 1024;

/** Requests on their way: 2 MiB, the window of the channel. More would only wait in memory. */
const requestsAtMost = 64;

/**
 * Bytes at the end of an interrupted file that may have holes: a server may answer requests in any order
 * (draft-ietf-secsh-filexfer-02, section 4), so the last ones may be written while earlier ones are not.
 */
export const unsettledBytes = requestBytes * requestsAtMost;

/** The bytes of a file from an offset, with many requests on their way. Memory does not grow with the file. */
export async function* readRemote(file: RemoteContent, offset: number): AsyncGenerator<Buffer> {
  await using handle = await openHandle(file, 'r');
  const asked: Promise<Buffer>[] = [];
  let next = offset;
  const ask = (): void => {
    const chunk = readChunk(file, handle.value, next);
    // It is awaited below, unless one before it fails.
    chunk.catch(() => {});
    asked.push(chunk);
    next += requestBytes;
  };
  for (;;) {
    while (asked.length < requestsAtMost) ask();
    const chunk = await asked.shift();
    if (chunk === undefined || chunk.length === 0) break;
    yield chunk;
    if (chunk.length < requestBytes) break;
  }
  // The others are beyond the end: their answers arrive before that of the close.
  await Promise.allSettled(asked);
}

/** One chunk, also of a server that answers with fewer bytes than were asked for; shorter only at the end of the file. */
async function readChunk({ sftp, limits, path, signal }: RemoteContent, handle: Buffer, at: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(requestBytes);
  let length = 0;
  while (length < requestBytes) {
    const [from, missing] = [length, requestBytes - length];
    const start = (done: SftpCallback<number>): void =>
      sftp.read(handle, buffer, from, missing, at + from, (error, bytes) => done(error, bytes));
    const bytes = (await callSftp<number>(limits, `read ${path}`, { signal, start })) ?? 0;
    if (bytes === 0) break;
    length += bytes;
  }
  return buffer.subarray(0, length);
}

/** Writes a file from an offset, with many requests on their way. Returns the offset of its end. */
export async function writeRemote(
  file: RemoteContent,
  content: AsyncIterable<Buffer>,
  offset: number,
): Promise<number> {
  const { sftp, limits, path, signal } = file;
  await using handle = await openHandle(file, offset === 0 ? 'w' : 'r+');
  const underWay = new Set<Promise<unknown>>();
  const state: { end: number; failure?: Error } = { end: offset };
  const send = (chunk: Buffer, at: number): void => {
    const start = (done: SftpCallback<void>): void =>
      sftp.write(handle.value, chunk, 0, chunk.length, at, (error) => done(error));
    const written = callSftp<void>(limits, `write ${path}`, { signal, start })
      .catch((error: unknown) => {
        state.failure ??= error instanceof Error ? error : new Error('the write failed', { cause: error });
      })
      .finally(() => underWay.delete(written));
    underWay.add(written);
  };
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length; from += requestBytes) {
      while (underWay.size >= requestsAtMost) await Promise.race(underWay);
      if (state.failure) throw state.failure;
      const part = chunk.subarray(from, from + requestBytes);
      send(part, state.end);
      state.end += part.length;
    }
  }
  await Promise.all(underWay);
  if (state.failure) throw state.failure;
  return state.end;
}

async function openHandle({ sftp, limits, path, signal }: RemoteContent, flags: 'r' | 'w' | 'r+') {
  const start = (done: SftpCallback<Buffer>): void => sftp.open(path, flags, done);
  const value = await callSftp<Buffer>(limits, `open ${path}`, { signal, start });
  if (value === undefined) throw new Error('ssh2 gave no handle');
  return {
    value,
    // Some servers write what they have kept only now: an error is an error of the file.
    [Symbol.asyncDispose]: async () => {
      // Its failure would hide the first one.
      if (signal.aborted || limits.ended.aborted) return;
      await callSftp<void>(limits, `close ${path}`, { signal, start: (done) => sftp.close(value, done) });
    },
  };
}
