import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Upload } from '@waybill/filebox/model/upload';
import type { TransferringCaller } from '../access/caller.ts';
import { writeContent } from '../uploads/write-content.ts';
import type { HoldResumableUpload } from './hold-resumable-upload.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** What joining works with. */
export interface JoinUploadsPorts {
  readonly filebox: Pick<Filebox, 'uploadsById'>;
  readonly uploads: Pick<ResumableUploadBook, 'find'>;
  readonly holdUpload: HoldResumableUpload;
}

/** Makes final uploads of partial ones. */
export interface JoinUploads {
  /**
   * Bytes of these partial uploads together.
   * @throws CodedError `upload_unknown`, `file_request_invalid` (one is not partial, or not complete)
   */
  measure(caller: TransferringCaller, parts: readonly string[]): Promise<number>;
  /**
   * Copies the parts into a final upload, from where an earlier attempt ended, delivers it and removes the parts.
   * @throws CodedError `upload_unknown`, `upload_in_progress` (also of a part), and as holding does
   */
  join(caller: TransferringCaller, final: ResumableUpload): Promise<ResumableProgress>;
}

const chunkBytes = 1024 * 1024;

/** Joins uploads of a filebox. */
export function createJoinUploads({ filebox, uploads, holdUpload }: JoinUploadsPorts): JoinUploads {
  const find = async ({ user }: TransferringCaller, id: string): Promise<ResumableUpload> => {
    const upload = await uploads.find(user, id);
    if (upload !== undefined) return upload;
    throw unknown(id);
  };

  const lengthOf = async (caller: TransferringCaller, id: string): Promise<number> => {
    const { concatenation, blobId, length } = await find(caller, id);
    if (concatenation?.kind !== 'partial') throw refusal(`${id} is not a partial upload`);
    const size = await filebox.uploadsById.size(blobId);
    // It was just joined by another request.
    if (size === undefined) throw unknown(id);
    if (size !== length) throw refusal(`${id} is not complete`);
    return length;
  };

  return {
    measure: async (caller, parts) => {
      let total = 0;
      for (const id of parts) total += await lengthOf(caller, id);
      return total;
    },
    join: async (caller, final) => {
      const parts = final.concatenation?.kind === 'final' ? final.concatenation.parts : [];
      const blobIds: string[] = [];
      const progress = await holdUpload(caller, final, async (joined) => {
        let start = 0;
        for (const id of parts) {
          const upload = await find(caller, id);
          blobIds.push(upload.blobId);
          await holdUpload(caller, upload, async (part) => {
            const content = contentFrom(part, Math.max(0, joined.size() - start));
            await writeContent(joined, content, Math.max(start, joined.size()));
            start += part.size();
          });
        }
      });
      // The file is stored: bytes that cannot be removed now go when they expire.
      for (const blobId of blobIds) await filebox.uploadsById.discard(blobId).catch(() => {});
      return progress;
    },
  };
}

async function* contentFrom(part: Pick<Upload, 'read' | 'size'>, start: number): AsyncGenerator<Buffer> {
  for (let offset = start; offset < part.size();) {
    const chunk = await part.read(offset, chunkBytes);
    offset += chunk.length;
    yield chunk;
  }
}

function unknown(id: string): CodedError {
  return new CodedError('upload_unknown', { detail: `upload-concat: there is no upload ${id}` });
}

function refusal(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail: `upload-concat: ${detail}` });
}
