import { CodedError } from '@waybill/contracts/errors/coded-error';
import { encodeFileHashes } from '@waybill/sftp-protocol/responses/encode-extended-replies';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { hashBlocks } from '../../domain/files/content/hash-blocks.ts';
import type { GrowingFile } from '../../domain/files/handles/growing-file.ts';
import type { ReadableFile } from '../../domain/files/handles/readable-file.ts';
import type { WritableFile } from '../../domain/files/handles/writable-file.ts';
import { openFileToRead } from '../../domain/files/open-file-to-read.ts';
import type { Operation, RequestOf } from './operation.ts';
import { pathOfRequest } from './paths.ts';

type CheckRequest = RequestOf<'check-file-name' | 'check-file-handle'>;

const algorithm = 'sha256';
/** A hash of a smaller block would disclose its bytes; this minimum is that of the draft. */
const blockBytesAtLeast = 256;

/** check-file-name (draft-ietf-secsh-filexfer-extensions-00, section 3): hashes of a stored file. */
export const checkFileName: Operation<RequestOf<'check-file-name'>> = async (request, { files, isOver }) => {
  const file = await openFileToRead(files, pathOfRequest(request.path));
  try {
    return await answer(request, file, isOver);
  } finally {
    await file.close();
  }
};

/** check-file-handle: the same for an open file, including one that is being written. */
export const checkFileHandle: Operation<RequestOf<'check-file-handle'>> = async (request, { handles, isOver }) => {
  const open = handles.get(request.handle);
  if (open.kind === 'folder') throw new CodedError('not_a_file');
  return answer(request, open.file, isOver);
};

async function answer(
  request: CheckRequest,
  file: ReadableFile | GrowingFile | WritableFile,
  isOver: () => boolean,
): Promise<SftpResponse> {
  const { id, algorithms, offset, blockBytes } = request;
  if (!algorithms.includes(algorithm)) {
    throw new CodedError('operation_unsupported', { detail: 'Files are hashed with sha256' });
  }
  if (blockBytes !== 0 && blockBytes < blockBytesAtLeast) {
    throw new CodedError('validation_failed', { detail: `A block has at least ${blockBytesAtLeast} bytes` });
  }
  const length = request.length === 0 ? undefined : request.length;
  const known = offset === 0 && blockBytes === 0 && knownHash(file, length);
  const hashes = known
    ? [known]
    : await hashBlocks({
        file,
        size: sizeOf(file),
        offset,
        length,
        blockBytes: blockBytes === 0 ? undefined : blockBytes,
        isOver,
      });
  return { type: 'extended-reply', id, data: encodeFileHashes(algorithm, hashes) };
}

function sizeOf(file: ReadableFile | GrowingFile | WritableFile): number {
  return 'description' in file ? file.description.size : file.describe().size;
}

/** The hash of a whole stored file is already known. */
function knownHash(file: ReadableFile | GrowingFile | WritableFile, length: number | undefined): Buffer | undefined {
  if (!('sha256' in file) || (length !== undefined && length < file.description.size)) return undefined;
  return Buffer.from(file.sha256, 'hex');
}
