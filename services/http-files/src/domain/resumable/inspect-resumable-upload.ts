import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { TransferringCaller } from '../access/caller.ts';
import type { ReceiptBook } from '../receipts/receipt-book.ts';
import type { HoldResumableUpload } from './hold-resumable-upload.ts';
import type { JoinUploads } from './join-uploads.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** What inspecting works with. */
export interface InspectResumableUploadPorts {
  readonly filebox: Pick<Filebox, 'uploadsById'>;
  readonly uploads: ResumableUploadBook;
  readonly receipts: Pick<ReceiptBook, 'find'>;
  readonly holdUpload: HoldResumableUpload;
  readonly joinUploads: JoinUploads;
}

/**
 * How far a user's upload is. One that has all its bytes is delivered first, for whoever died on the way there: that all
 * is there is never answered before the file is. A final upload whose parts were not all copied is completed likewise.
 * @throws CodedError `upload_unknown`, and as holding does
 */
export type InspectResumableUpload = (caller: TransferringCaller, id: string) => Promise<ResumableProgress>;

/** Inspects uploads that are staged in a filebox. */
export function createInspectResumableUpload(ports: InspectResumableUploadPorts): InspectResumableUpload {
  const { filebox, uploads, receipts, holdUpload, joinUploads } = ports;
  const find = async ({ user }: TransferringCaller, id: string): Promise<ResumableUpload> => {
    const upload = await uploads.find(user, id);
    if (upload === undefined) throw new CodedError('upload_unknown');
    return upload;
  };
  const delivered = async (upload: ResumableUpload): Promise<ResumableProgress | undefined> => {
    const { user, length: offset = 0, fileset } = upload;
    return fileset === undefined ? undefined : { upload, offset, receipt: await receipts.find(user, fileset) };
  };
  return async (caller, id) => {
    const upload = await find(caller, id);
    const known = await delivered(upload);
    if (known !== undefined) return known;
    try {
      const offset = await filebox.uploadsById.size(upload.blobId);
      if (offset === undefined) {
        await uploads.remove(id);
        throw new CodedError('upload_unknown');
      }
      const { length, concatenation } = upload;
      if (concatenation?.kind === 'final') return await joinUploads.join(caller, upload);
      const isOpen = concatenation !== undefined || length === undefined || offset < length;
      return isOpen ? { upload, offset, receipt: undefined } : await holdUpload(caller, upload);
    } catch (error) {
      // It may just have been delivered.
      const now = isCodedError(error, 'upload_unknown') ? await delivered(await find(caller, id)) : undefined;
      if (now === undefined) throw error;
      return now;
    }
  };
}
