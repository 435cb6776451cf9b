import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { parentOf } from '@waybill/contracts/values/virtual-path';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Upload } from '@waybill/filebox/model/upload';
import { resumeById } from '@waybill/user-files/content/begin-to-write';
import { rightToUpload, type TransferringCaller } from '../access/caller.ts';
import type { FileAccess } from '../access/file-access.ts';
import { fileTargetOf } from '../access/file-target.ts';
import { fileUserOf } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';
import type { DeliverFile } from '../uploads/deliver-file.ts';
import { uploadFailure } from '../uploads/upload-failure.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** What holding works with. */
export interface HoldResumableUploadPorts {
  readonly filebox: Pick<Filebox, 'uploadsById' | 'find'>;
  readonly access: FileAccess;
  readonly server: ServerPlace;
  readonly uploads: ResumableUploadBook;
  readonly deliverFile: DeliverFile;
  readonly events: { resumableUploadDelivered(): void };
  /** How long an upload is kept after it was held. */
  readonly keptHours: number;
}

/**
 * Does something to a resumable upload that nobody else may do at the same time, then delivers it when it is whole, and
 * keeps it otherwise, as it keeps every partial one; whatever happens, what was written is kept as long as it can be. The work
 * may answer the length that it learned. Permission is checked again.
 * @throws CodedError `upload_in_progress`, `upload_unknown`, and as `store-file` does
 */
export type HoldResumableUpload = (
  caller: TransferringCaller,
  upload: ResumableUpload,
  work?: (running: Upload) => Promise<void | { length: number | undefined }>,
) => Promise<ResumableProgress>;

/** Holds uploads of a filebox. */
export function createHoldResumableUpload(ports: HoldResumableUploadPorts): HoldResumableUpload {
  const { filebox, uploads, deliverFile, events } = ports;

  return async (caller, upload, work = async () => {}) => {
    const { id, path, condition, concatenation } = upload;
    caller.transfer.path = path;
    const { running, expiresAt } = await openUpload(ports, caller, upload);
    try {
      await uploads.extend(id, expiresAt);
      const { length } = (await work(running)) ?? upload;
      const offset = running.size();
      if (concatenation?.kind === 'partial' || length === undefined || offset < length) {
        await running.suspend();
        return { upload: { ...upload, length, expiresAt }, offset, receipt: undefined };
      }
      const receipt = await deliverFile(running, {
        userId: caller.user.id,
        userName: caller.userName,
        path,
        resumed: { id, parts: concatenation?.kind === 'final' ? concatenation.parts : [] },
      });
      events.resumableUploadDelivered();
      return { upload: { ...upload, length, expiresAt, fileset: receipt.fileset }, offset, receipt };
    } catch (error) {
      await running.suspend();
      if (isCodedError(error) && (await filebox.uploadsById.size(upload.blobId)) === undefined) {
        await uploads.remove(id);
        if (isCodedError(error, 'upload_incomplete', 'content_missing') && !(await uploads.find(upload.user, id)))
          throw new CodedError('upload_unknown', { detail: 'The upload was discarded meanwhile', cause: error });
      }
      throw uploadFailure(error, { condition, folder: parentOf(path) });
    }
  };
}

async function openUpload(
  ports: HoldResumableUploadPorts,
  caller: TransferringCaller,
  upload: ResumableUpload,
): Promise<{ running: Upload; expiresAt: Date }> {
  const { path, vfsId, blobId, length, mediaType, metadata, condition } = upload;
  const place = await ports.access.permitWriting(caller.mounts, fileTargetOf(path));
  // Another file system has been mounted there since.
  if (place.location.vfs.id !== vfsId) throw new CodedError('upload_unknown');
  const expiresAt = new Date(Date.now() + ports.keptHours * 3_600_000);
  const running = await resumeById(fileUserOf(ports, caller), place, {
    id: blobId,
    condition,
    keptUntil: expiresAt,
    mediaType,
    metadata,
    ...(length !== undefined && { expectedBytes: { atLeast: length, atMost: length } }),
    right: (location) => rightToUpload(caller, location),
  });
  return { running, expiresAt };
}
