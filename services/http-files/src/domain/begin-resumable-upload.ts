import { randomUUID } from 'node:crypto';
import { CodedError } from '@waybill/contracts/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Caller } from './caller.ts';
import type { createContinueResumableUpload } from './continue-resumable-upload.ts';
import type { FileAccess } from './file-access.ts';
import type { FileTarget } from './file-target.ts';
import type { createHoldResumableUpload } from './hold-resumable-upload.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import { uploadFailure } from './upload-failure.ts';
import type { UploadPart } from './upload-part.ts';
import { assertCondition, replacementOf } from './write-condition.ts';

/** What beginning works with. */
export interface BeginResumableUploadPorts {
  readonly filebox: Pick<Filebox, 'staged'>;
  readonly access: FileAccess;
  readonly uploads: ResumableUploadBook;
  readonly holdUpload: ReturnType<typeof createHoldResumableUpload>;
  readonly continueUpload: ReturnType<typeof createContinueResumableUpload>;
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
  'length' | 'mediaType' | 'metadata' | 'condition' | 'description' | 'idempotencyKey'
> & {
  readonly target: FileTarget;
};

/**
 * Begins an upload, with the first part when there is one; one without any content is whole at once.
 * @throws CodedError `payload_too_large`, `unfinished_upload_limit_reached`, `idempotency_key_reused`, `metadata_key_refused`,
 * `precondition_failed`, `path_not_found`, * `no_write_permission`, and as continuing does
 */
export function createBeginResumableUpload(ports: BeginResumableUploadPorts) {
  const { filebox, access, uploads, events, keptHours, limitBytes } = ports;

  const enter = async (caller: Caller, { target, ...plan }: UploadPlan): Promise<ResumableUpload> => {
    const { userName, mounts } = caller;
    const place = await access.openPlace(mounts, target, 'upload');
    assertCondition(caller, place, plan.condition);
    const { vfs, path } = place.location;
    const expiresAt = new Date(Date.now() + keptHours * 3_600_000);
    const { overwrite } = replacementOf(plan.condition);
    const { length, metadata } = plan;
    const expectedBytes = { atLeast: length, atMost: length };
    const countsAsNew = !mounts.decide(target.path, 'list').allowed;
    const staged = { vfsId: vfs.id, path, keptUntil: expiresAt, userName, overwrite, metadata };
    const blobId = await filebox.staged.begin({ ...staged, expectedBytes, countsAsNew });
    const upload = { id: randomUUID(), userName, path: target.path, vfsId: vfs.id, blobId, expiresAt, ...plan };
    try {
      await uploads.enter({ ...upload, fileset: undefined }, ports.unfinishedAtMost);
    } catch (error) {
      await filebox.staged.discard(blobId).catch(() => {});
      throw error;
    }
    events.resumableUploadBegun();
    return { ...upload, fileset: undefined };
  };

  return async (caller: Caller, plan: UploadPlan, part?: UploadPart): Promise<ResumableProgress> => {
    if (limitBytes !== undefined && plan.length > limitBytes) {
      throw new CodedError('payload_too_large', { detail: `A file may have at most ${limitBytes} bytes` });
    }
    let upload: ResumableUpload;
    try {
      upload = await enter(caller, plan);
    } catch (error) {
      throw uploadFailure(error, { condition: plan.condition, folder: plan.target.folder });
    }
    if (part !== undefined) return ports.continueUpload(caller, upload.id, part);
    return plan.length === 0 ? ports.holdUpload(caller, upload) : { upload, offset: 0, receipt: undefined };
  };
}
