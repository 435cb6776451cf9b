import { posix } from 'node:path';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { RemoteFile, RemoteSource } from '@waybill/outbound/peer/remote-session';
import type { TaskContext } from '../../domain/workflows/task.ts';

/** A file on the server, as it was listed. */
interface PulledFile {
  readonly path: string;
  readonly entry: Pick<RemoteFile, 'size' | 'modifiedAt' | 'version'>;
}

/** Where files are fetched from. */
interface PulledFrom {
  readonly protocol: 'sftp' | 'ftps' | 's3';
  readonly connection: string;
}

/** How often a transfer is resumed that has made progress since it was resumed before. */
const resumptionsAtMost = 5;

/**
 * The bytes of a remote file, over as many connections as it takes. It ends only if the file is the same as when it was listed:
 * otherwise it throws, and what was written so far is discarded.
 * @throws CodedError `connection_failed`, `remote_refused`
 */
export async function* pulledContent(
  { path, entry: listed }: PulledFile,
  { protocol, connection }: PulledFrom,
  { connections, signal, log }: TaskContext,
): AsyncGenerator<Buffer> {
  let [offset, resumptions] = [0, 0];
  let entry = listed;
  for (;;) {
    using lease = await connections[protocol](connection, signal);
    const { session } = lease.client;
    // Lists of some servers know no version, or another one.
    entry = await findUnchanged(session, { path, entry }, signal);
    const begin = offset;
    try {
      for await (const chunk of session.read(path, offset, signal)) {
        offset += chunk.length;
        // A server that sends more than it has announced does not fill the disk.
        if (offset > entry.size) changed(path);
        yield chunk;
      }
      break;
    } catch (error) {
      const hasProgressed = offset > begin && offset < entry.size;
      const isWorthwhile = isCodedError(error, 'connection_failed') && hasProgressed;
      if (!isWorthwhile || resumptions === resumptionsAtMost) throw error;
      resumptions += 1;
      log(`Interrupted at ${offset} bytes of ${path}: ${error.message}. The transfer is resumed.`);
    }
  }
  using lease = await connections[protocol](connection, signal);
  await findUnchanged(lease.client.session, { path, entry }, signal);
  if (offset !== entry.size) changed(path);
}

/** Deletes or moves a file on the server that is stored here. One that is gone already counts as done. */
export async function settlePulled(
  path: string,
  options: PulledFrom & { afterwards: 'keep' | 'delete' | 'move'; moveTo?: string | undefined },
  { connections, signal }: TaskContext,
): Promise<void> {
  const { protocol, connection, afterwards, moveTo } = options;
  if (afterwards === 'keep') return;
  using lease = await connections[protocol](connection, signal);
  const { session } = lease.client;
  if (!(await session.stat(path, signal))) return;
  if (afterwards === 'delete') await session.remove(path, signal);
  else await session.replace(path, posix.join(moveTo ?? '', posix.basename(path)), signal);
}

async function findUnchanged(
  session: RemoteSource,
  { path, entry }: PulledFile,
  signal: AbortSignal,
): Promise<PulledFile['entry']> {
  const found = await session.stat(path, signal);
  if (found?.size !== entry.size || found.modifiedAt !== entry.modifiedAt) changed(path);
  if (entry.version !== undefined && found.version !== entry.version) changed(path);
  return found;
}

/** The partner may still be writing it: a later attempt can succeed. */
function changed(path: string): never {
  throw new CodedError('connection_failed', { detail: `${path} was changed on the server while it was read` });
}
