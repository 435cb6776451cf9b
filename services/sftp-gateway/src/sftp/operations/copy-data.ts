import { CodedError } from '@waybill/contracts/errors/coded-error';
import { copyBytes } from '../../domain/files/content/copy-bytes.ts';
import { refuseWhenOver } from '../../domain/files/content/refuse-when-over.ts';
import type { ReadableFile } from '../../domain/files/handles/readable-file.ts';
import type { WritableFile } from '../../domain/files/handles/writable-file.ts';
import type { OpenHandle } from './handle-table.ts';
import { endResponse, okResponse, type Conversation, type Reply, type RequestOf } from './operation.ts';

type OpenFileHandle = Exclude<OpenHandle, { kind: 'folder' }>;

/**
 * copy-data (draft-ietf-secsh-filexfer-extensions-00, section 7), from one open file into another; as with OpenSSH's
 * server, a source that ends early is an end of file. A whole file into an empty one is a copy without moving bytes.
 */
export async function copyData(
  request: RequestOf<'copy-data'>,
  { handles, isOver }: Pick<Conversation, 'handles' | 'isOver'>,
): Promise<Reply> {
  const source = handles.get(request.handle);
  const target = handles.get(request.targetHandle);
  if (source.kind === 'folder') throw new CodedError('not_a_file');
  if (target.kind !== 'writing') {
    throw new CodedError('validation_failed', { detail: 'The target is not open for writing' });
  }
  if (isSameFile(source, target))
    throw new CodedError('validation_failed', { detail: 'A file is not copied into itself' });
  const { offset, targetOffset } = request;
  if (source.kind === 'reading' && isWhole(request, source.file, target.file)) {
    const { entry, read } = source.file.whole();
    // The source is read if the two are in different classes of storage.
    const readWhileWanted = async (...range: Parameters<typeof read>) => {
      refuseWhenOver({ isOver });
      return read(...range);
    };
    await target.file.copyFrom({ entry, read: readWhileWanted });
    return okResponse(request);
  }
  // A source that is written meanwhile is copied up to its present end: two files that grow by each other would never
  // end.
  const available = Math.max(0, sizeOf(source) - offset);
  // The source must be open for reading even if there is nothing to read.
  if (available === 0) await source.file.read(offset, 1);
  const length = request.length === 0 ? available : Math.min(request.length, available);
  const copied = await copyBytes({ source: source.file, offset, length, target: target.file, targetOffset, isOver });
  return copied >= request.length ? okResponse(request) : endResponse(request);
}

/** Also two handles of one version, as with OpenSSH's server: copied bytes at its end would be copied again. */
function isSameFile(source: OpenFileHandle, target: OpenFileHandle): boolean {
  if (source === target) return true;
  return source.kind !== 'reading' && target.kind !== 'reading' && source.file.written === target.file.written;
}

function sizeOf(source: OpenFileHandle): number {
  return source.kind === 'reading' ? source.file.description.size : source.file.describe().size;
}

/** From the first byte to the last, or up to the end, into a file that is still empty. */
function isWhole({ offset, length, targetOffset }: RequestOf<'copy-data'>, source: ReadableFile, target: WritableFile) {
  const reachesEnd = length === 0 || length === source.description.size;
  return reachesEnd && offset === 0 && targetOffset === 0 && target.describe().size === 0;
}
