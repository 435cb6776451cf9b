import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Upload } from '@waybill/filebox/model/upload';
import type { TransferringCaller } from '../access/caller.ts';
import { writeContent } from '../uploads/write-content.ts';
import { checkedContent } from './checked-content.ts';
import type { HoldResumableUpload } from './hold-resumable-upload.ts';
import type { InspectResumableUpload } from './inspect-resumable-upload.ts';
import { limitedContent } from './limited-content.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import { createUploadLengths } from './upload-lengths.ts';
import type { UploadPart } from './upload-part.ts';

/** What continuing works with. */
export interface ContinueResumableUploadPorts {
  readonly filebox: Pick<Filebox, 'uploadsById'>;
  readonly uploads: ResumableUploadBook;
  readonly inspectUpload: InspectResumableUpload;
  readonly holdUpload: HoldResumableUpload;
  readonly events: { checksumMismatched(): void };
  /** Bytes that a file may have. */
  readonly limitBytes: number | undefined;
}

/**
 * Adds a part to a user's upload, and delivers the file with the last one. A part that ends too early counts as far as it
 * came, unless it has a checksum. A part may tell the length of an upload that has none yet.
 * @throws CodedError `upload_unknown`, `upload_is_final`, `upload_in_progress`, `upload_offset_mismatch`, `payload_too_large`,
 * `file_request_invalid` (another length), `checksum_mismatch`, and as `store-file` does
 */
export type ContinueResumableUpload = (
  caller: TransferringCaller,
  id: string,
  part: UploadPart,
) => Promise<ResumableProgress>;

/** Continues uploads that are staged in a filebox. */
export function createContinueResumableUpload(ports: ContinueResumableUploadPorts): ContinueResumableUpload {
  const { filebox, uploads, inspectUpload, holdUpload, events, limitBytes } = ports;
  const lengths = createUploadLengths({ uploads, limitBytes });
  return async (caller, id, part) => {
    const { offset, checksum } = part;
    const upload = await uploads.find(caller.user, id);
    if (upload?.concatenation?.kind === 'final') throw new CodedError('upload_is_final');
    const now = await inspectUpload(caller, id);
    assertOffset(offset, now.offset);
    const known = lengths.agree(now.upload, part);
    if (now.receipt !== undefined) return now;
    const add = async (running: Upload): Promise<{ length: number | undefined }> => {
      // Another request may have added to it meanwhile.
      assertOffset(offset, running.size());
      const length = known ?? (await lengths.learn(now.upload, part));
      const content = limitedContent(part.content, lengths.room(length, offset));
      const openSpool = () => filebox.uploadsById.openSpool();
      await writeContent(running, checksum ? checkedContent(content, checksum, openSpool) : content, offset);
      return { length };
    };
    try {
      return await holdUpload(caller, now.upload, add);
    } catch (error) {
      if (isCodedError(error, 'checksum_mismatch')) events.checksumMismatched();
      throw error;
    }
  };
}

function assertOffset(offset: number, actual: number): void {
  if (offset === actual) return;
  throw new CodedError('upload_offset_mismatch', { detail: `The upload goes on at ${actual}` });
}
