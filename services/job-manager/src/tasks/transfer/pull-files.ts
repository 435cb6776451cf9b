import { posix } from 'node:path';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { type FilePlace, joinFilePlace } from '@waybill/contracts/tasks/file-place';
import type { sftpPullSpecification } from '@waybill/contracts/tasks/transfer-specifications';
import { matchesPattern, parseNamePattern } from '@waybill/contracts/values/name-pattern';
import type { RemoteEntry } from '@waybill/outbound/peer/remote-session';
import type { z } from 'zod';
import type { TaskContext } from '../../domain/workflows/task.ts';
import { pulledContent, settlePulled } from './pulled-content.ts';

type PullParameters = z.output<typeof sftpPullSpecification.parameters>;
type Parameters = PullParameters & { readonly protocol: PullProtocol };

/** The protocols of servers that files are fetched from. */
export type PullProtocol = 'sftp' | 'ftps' | 's3';

/** Fetches files. What an earlier attempt has stored is not fetched again. */
export async function pullFiles(protocol: PullProtocol, given: PullParameters, context: TaskContext) {
  const parameters = { protocol, ...given };
  if ((parameters.afterwards === 'move') !== (parameters.moveTo !== undefined)) {
    throw new CodedError('validation_failed', { detail: 'moveTo: belongs to afterwards `move`, and is needed there' });
  }
  const { chosen, skipped } = await chooseFiles(parameters, context);
  const paths: FilePlace[] = [];
  let size = 0;
  for (const { remote, path } of chosen) {
    const written = await pullOne(remote, path, parameters, context);
    paths.push(path);
    size += written;
  }
  context.log(`Fetched ${paths.length} files (${size} bytes) from ${parameters.connection}:${parameters.source}`);
  return {
    count: String(paths.length),
    size: String(size),
    paths: JSON.stringify(paths),
    skipped: String(skipped),
  };
}

/** A file on the server, and where it goes. */
interface Chosen {
  readonly remote: { readonly path: string; readonly entry: Pick<RemoteEntry, 'size' | 'modifiedAt' | 'version'> };
  readonly path: FilePlace;
}

async function chooseFiles(
  { protocol, connection, source, folder, filesAtMost, minAgeSeconds }: Parameters,
  { connections, signal, log }: TaskContext,
): Promise<{ chosen: Chosen[]; skipped: number }> {
  using lease = await connections[protocol](connection, signal);
  const { session } = lease.client;
  const [remoteFolder, pattern] = [posix.dirname(source), posix.basename(source)];
  const parsed = parseNamePattern(pattern);
  const isWanted = (name: string): boolean => name === pattern || matchesPattern(name.normalize('NFC'), parsed);
  let entries: readonly RemoteEntry[];
  if (pattern.includes('*')) {
    entries = await session.list(remoteFolder, isWanted, signal);
  } else {
    const found = await session.stat(source, signal);
    if (!found) throw new CodedError('remote_refused', { detail: `${connection}: there is no file ${source}` });
    entries = [{ name: pattern, ...found }];
  }
  const youngest = Date.now() / 1_000 - minAgeSeconds;
  const matching = entries
    .filter(({ name, kind }) => kind === 'file' && isWanted(name))
    .filter(({ modifiedAt }) => minAgeSeconds === 0 || modifiedAt <= youngest)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const chosen: Chosen[] = [];
  let skipped = 0;
  for (const entry of matching) {
    const path = pathBelow(folder, entry.name);
    if (path === undefined) {
      skipped += 1;
      log(`Skipped ${JSON.stringify(entry.name)}: the name cannot be a path here`);
    } else if (chosen.length < filesAtMost) {
      chosen.push({ path, remote: { path: posix.join(remoteFolder, entry.name), entry } });
    }
  }
  return { chosen, skipped };
}

/** A server can name its files as it likes: `../x`, `a/b`. */
function pathBelow(folder: FilePlace, name: string): FilePlace | undefined {
  try {
    return joinFilePlace(folder, name);
  } catch (error) {
    if (isCodedError(error, 'path_invalid')) return undefined;
    throw error;
  }
}

async function pullOne(
  remote: Chosen['remote'],
  path: FilePlace,
  parameters: Parameters,
  context: TaskContext,
): Promise<number> {
  const earlier = await context.files.written(path);
  const written =
    earlier ??
    (await context.files.write(path, pulledContent(remote, parameters, context), 'application/octet-stream'));
  if (earlier) context.log(`An earlier attempt has written ${path}`);
  // If it is no longer the file that was stored, it is left for the next time.
  if (Number(written.size) === remote.entry.size) await settlePulled(remote.path, parameters, context);
  return Number(written.size);
}
