import { CodedError, isCodedError } from '@waybill/contracts/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Upload } from '@waybill/filebox/upload';
import type { Caller } from './caller.ts';
import { checkedContent } from './checked-content.ts';
import type { createHoldResumableUpload } from './hold-resumable-upload.ts';
import type { createInspectResumableUpload } from './inspect-resumable-upload.ts';
import { beyondItsLength, limitedContent } from './limited-content.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { UploadPart } from './upload-part.ts';
import { writeContent } from './write-content.ts';

/** What continuing works with. */
export interface ContinueResumableUploadPorts {
  readonly filebox: Pick<Filebox, 'staged'>;
  readonly inspectUpload: ReturnType<typeof createInspectResumableUpload>;
  readonly holdUpload: ReturnType<typeof createHoldResumableUpload>;
  readonly events: { checksumMismatched(): void };
}

/**
 * Adds a part to a user's upload, and delivers the file with the last one. A part that ends too early counts as far as it
 * came, unless it has a checksum.
 * @throws CodedError `upload_unknown`, `upload_in_progress`, `upload_offset_mismatch`, `payload_too_large`,
 * `checksum_mismatch`, and as `store-file` does
 */
export function createContinueResumableUpload(ports: ContinueResumableUploadPorts) {
  const { filebox, inspectUpload, holdUpload, events } = ports;
  return async (caller: Caller, id: string, part: UploadPart): Promise<ResumableProgress> => {
    const { offset, size = 0, checksum } = part;
    const now = await inspectUpload(caller, id);
    assertOffset(offset, now.offset);
    const lengthBytes = now.upload.length;
    const roomBytes = lengthBytes - offset;
    if (size > roomBytes) throw beyondItsLength(lengthBytes);
    if (now.receipt !== undefined) return now;
    const add = async (staged: Upload): Promise<void> => {
      // Somebody may have gone on with it meanwhile.
      assertOffset(offset, staged.size());
      const content = limitedContent(part.content, { roomBytes, lengthBytes });
      const openSpool = () => filebox.staged.openSpool();
      await writeContent(staged, checksum ? checkedContent(content, checksum, openSpool) : content, offset);
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
