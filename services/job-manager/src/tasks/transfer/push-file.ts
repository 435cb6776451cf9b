import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import type { RemoteSession } from '@waybill/outbound/peer/remote-session';
import type { OpenedFile, TaskContext } from '../../domain/workflows/task.ts';
import { bytesFrom } from './bytes-from.ts';
import { remoteTarget, temporaryRemotePath } from './remote-paths.ts';

/** How often a transfer that makes progress is resumed within one attempt. */
const resumptionsAtMost = 5;

/** What a file is sent with. */
export interface PushOrder {
  readonly connection: string;
  readonly source: FilePlace;
  readonly target: string;
  readonly ifExists: 'replace' | 'fail';
}

/** The protocols with files that can be written at any offset, and renamed. */
export type PushProtocol = 'sftp' | 'ftps';

/** Sends a file. Repeated after it has taken effect, it sends the same file again. */
export async function pushFile(
  protocol: PushProtocol,
  { connection, source, target, ifExists }: PushOrder,
  context: TaskContext,
): Promise<{ remotePath: string; size: string; resumedAt: string }> {
  await using file = await context.files.open(source);
  const remotePath = remoteTarget(target, source);
  const push = { protocol, context, connection, file, remotePath, ifExists };
  for (let resumptions = 0; ; resumptions += 1) {
    try {
      const resumedAt = await pushOnce(push);
      context.log(`Sent ${source} (${file.size} bytes) to ${connection}:${remotePath}`);
      return { remotePath, size: String(file.size), resumedAt: String(resumedAt) };
    } catch (error) {
      if (!(error instanceof Interrupted) || resumptions === resumptionsAtMost) throw reasonOf(error);
      context.log(`Interrupted: ${error.reason.message}. The transfer is resumed.`);
    }
  }
}

interface Push {
  readonly protocol: PushProtocol;
  readonly context: TaskContext;
  readonly connection: string;
  readonly file: OpenedFile;
  readonly remotePath: string;
  readonly ifExists: 'replace' | 'fail';
}

/** The connection was lost after some bytes had arrived: it is worth another connection at once. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly reason: CodedError;

  constructor(reason: CodedError) {
    super(reason.message, { cause: reason });
    this.reason = reason;
  }
}

function reasonOf(error: unknown): unknown {
  return error instanceof Interrupted ? error.reason : error;
}

/** Writes the temporary file to its end, and renames it. Returns where it began. */
async function pushOnce({ protocol, context, connection, file, remotePath, ifExists }: Push): Promise<number> {
  const { connections, signal } = context;
  using lease = await connections[protocol](connection, signal);
  const { session } = lease.client;
  const { fileset } = file;
  const temporary = temporaryRemotePath(remotePath, { key: connections.idempotencyKey, fileset });
  if (ifExists === 'fail' && (await session.stat(remotePath, signal))) alreadyThere(connection, remotePath);
  const left = (await session.stat(temporary, signal))?.size ?? 0;
  // More than the whole file was written by something else.
  const begin = left <= file.size ? Math.max(0, left - session.unsettledBytes) : 0;
  let sent = begin;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of bytesFrom(file, begin)) {
      yield chunk;
      sent += chunk.length;
    }
  };
  try {
    await session.write(temporary, counted(), begin, signal);
  } catch (error) {
    if (isCodedError(error, 'connection_failed') && sent > begin) throw new Interrupted(error);
    throw error;
  }
  await deliver(session, { connection, file, remotePath, ifExists, temporary }, signal);
  return begin;
}

async function deliver(
  session: RemoteSession,
  { connection, file, remotePath, ifExists, temporary }: Omit<Push, 'context' | 'protocol'> & { temporary: string },
  signal: AbortSignal,
): Promise<void> {
  const written = await session.stat(temporary, signal);
  if (written?.size !== file.size) {
    const detail = `${connection}: the server has ${written?.size ?? 0} of ${file.size} bytes of ${remotePath}`;
    await session.remove(temporary, signal);
    throw new CodedError('connection_failed', { detail });
  }
  if (ifExists === 'replace') await session.replace(temporary, remotePath, signal);
  else await session.rename(temporary, remotePath, signal);
}

function alreadyThere(connection: string, path: string): never {
  throw new CodedError('already_exists', { detail: `${connection}: the server already has ${path}` });
}
