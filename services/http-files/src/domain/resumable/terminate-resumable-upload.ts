import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Caller } from '../access/caller.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';

/** What terminating works with. */
export interface TerminateResumableUploadPorts {
  readonly filebox: Pick<Filebox, 'uploadsById'>;
  readonly uploads: ResumableUploadBook;
  readonly events: { resumableUploadTerminated(): void };
}

/** Gives a user's upload up with its bytes. The file that it became, if it did, stays. @throws CodedError `upload_unknown` */
export type TerminateResumableUpload = (caller: Caller, id: string) => Promise<void>;

/** Terminates uploads that are staged in a filebox. */
export function createTerminateResumableUpload({
  filebox,
  uploads,
  events,
}: TerminateResumableUploadPorts): TerminateResumableUpload {
  return async ({ user }, id) => {
    const upload = await uploads.find(user, id);
    if (upload === undefined) throw new CodedError('upload_unknown');
    const wasThere = await filebox.uploadsById.discard(upload.blobId);
    await uploads.remove(id);
    if (wasThere) events.resumableUploadTerminated();
  };
}
