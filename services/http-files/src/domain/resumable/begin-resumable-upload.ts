import { randomUUID } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { rootPath } from '@waybill/contracts/values/virtual-path';
import type { Filebox } from '@waybill/filebox/filebox';
import { beginById } from '@waybill/user-files/content/begin-to-write';
import type { Caller, TransferringCaller } from '../access/caller.ts';
import type { FileAccess, FilePlace } from '../access/file-access.ts';
import type { FileTarget } from '../access/file-target.ts';
import { fileUserOf } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';
import { uploadFailure } from '../uploads/upload-failure.ts';
import { assertCondition } from '../uploads/write-condition.ts';
import type { ContinueResumableUpload } from './continue-resumable-upload.ts';
import type { HoldResumableUpload } from './hold-resumable-upload.ts';
import type { JoinUploads } from './join-uploads.ts';
import { openPartialPlace } from './partial-place.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import type { UploadPart } from './upload-part.ts';

/** What beginning works with. */
export interface BeginResumableUploadPorts {
  readonly filebox: Pick<Filebox, 'uploadsById' | 'find'>;
  readonly server: ServerPlace;
  readonly access: FileAccess;
  readonly uploads: ResumableUploadBook;
  readonly holdUpload: HoldResumableUpload;
  readonly continueUpload: ContinueResumableUpload;
  readonly joinUploads: JoinUploads;
  readonly events: { resumableUploadBegun(): void };
  readonly keptHours: number;
  /** Bytes that a file may have. */
  readonly limitBytes: number | undefined;
  /** Uploads that a user may have begun and not finished. */
  readonly unfinishedAtMost: number;
}

/** What is to be stored, as its client describes it. */
export type UploadPlan = Pick<
  ResumableUpload,
  'length' | 'concatenation' | 'mediaType' | 'metadata' | 'condition' | 'description' | 'idempotencyKey'
> & {
  /** Undefined for a partial upload that goes wherever its user may upload. */
  readonly target: FileTarget | undefined;
};

/**
 * Begins an upload, with the first part when there is one; one without any content is whole at once, and so is one that joins
 * others.
 * @throws CodedError `payload_too_large`, `unfinished_upload_limit_reached`, `idempotency_key_reused`, `metadata_key_refused`,
 * `precondition_failed`, `path_not_found`, `no_write_permission`, and as continuing and joining do
 */
export type BeginResumableUpload = (
  caller: TransferringCaller,
  plan: UploadPlan,
  part?: UploadPart,
) => Promise<ResumableProgress>;

/** Begins uploads that are staged in a filebox. */
export function createBeginResumableUpload(ports: BeginResumableUploadPorts): BeginResumableUpload {
  const { filebox, access, uploads, joinUploads, events, keptHours, limitBytes } = ports;

  const enter = async (caller: Caller, { target: asked, ...plan }: UploadPlan): Promise<ResumableUpload> => {
    const { mounts } = caller;
    const isPartial = plan.concatenation?.kind === 'partial';
    const place = isPartial ? await openPartialPlace(access, mounts, asked) : await openPlace(mounts, asked);
    const user = fileUserOf(ports, caller);
    await assertCondition(user, place, plan.condition);
    const expiresAt = new Date(Date.now() + keptHours * 3_600_000);
    const { length, metadata, condition } = plan;
    const expectedBytes = length !== undefined && { expectedBytes: { atLeast: length, atMost: length } };
    const blobId = await beginById(user, place, { keptUntil: expiresAt, metadata, ...expectedBytes, condition });
    const { path, location } = place;
    const owned = { id: randomUUID(), user: { id: caller.user.id }, path, vfsId: location.vfs.id };
    const upload = { ...owned, blobId, expiresAt, ...plan };
    try {
      await uploads.enter({ ...upload, fileset: undefined }, ports.unfinishedAtMost);
    } catch (error) {
      await filebox.uploadsById.discard(blobId).catch(() => {});
      throw error;
    }
    events.resumableUploadBegun();
    return { ...upload, fileset: undefined };
  };

  const openPlace = (mounts: Caller['mounts'], target: FileTarget | undefined): Promise<FilePlace> => {
    if (target === undefined) throw new CodedError('filename_missing');
    return access.permitWriting(mounts, target);
  };

  return async (caller, asked, part) => {
    const { concatenation } = asked;
    const isFinal = concatenation?.kind === 'final';
    const plan = isFinal ? { ...asked, length: await joinUploads.measure(caller, concatenation.parts) } : asked;
    const { length, condition, target } = plan;
    if (limitBytes !== undefined && length !== undefined && length > limitBytes) {
      throw new CodedError('payload_too_large', { detail: `A file may have at most ${limitBytes} bytes` });
    }
    let upload: ResumableUpload;
    try {
      upload = await enter(caller, plan);
    } catch (error) {
      throw uploadFailure(error, { condition, folder: target?.folder ?? rootPath });
    }
    if (isFinal) return joinUploads.join(caller, upload);
    if (part !== undefined) return ports.continueUpload(caller, upload.id, part);
    return length === 0 ? ports.holdUpload(caller, upload) : { upload, offset: 0, receipt: undefined };
  };
}
