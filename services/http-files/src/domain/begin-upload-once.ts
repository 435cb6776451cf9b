import { isDeepStrictEqual } from 'node:util';
import { CodedError, isCodedError } from '@waybill/contracts/coded-error';
import type { createBeginResumableUpload, UploadPlan } from './begin-resumable-upload.ts';
import type { Caller } from './caller.ts';
import type { createContinueResumableUpload } from './continue-resumable-upload.ts';
import type { createInspectResumableUpload } from './inspect-resumable-upload.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import type { UploadPart } from './upload-part.ts';

/** What beginning once works with. */
export interface BeginUploadOncePorts {
  readonly uploads: Pick<ResumableUploadBook, 'findKeyed'>;
  readonly beginUpload: ReturnType<typeof createBeginResumableUpload>;
  readonly inspectUpload: ReturnType<typeof createInspectResumableUpload>;
  readonly continueUpload: ReturnType<typeof createContinueResumableUpload>;
}

/** An upload, begun now or when the same request came the first time. */
export interface BegunOnce {
  readonly progress: ResumableProgress;
  readonly isRepeated: boolean;
}

/**
 * Begins an upload once, however often that is asked for under the same key, for as long as the upload is known. A first part
 * that comes again counts only if nothing of it came before.
 * @throws CodedError `idempotency_key_reused`, and as beginning and continuing do
 */
export function createBeginUploadOnce(ports: BeginUploadOncePorts) {
  const { uploads, beginUpload, inspectUpload, continueUpload } = ports;

  const repeat = async (caller: Caller, plan: UploadPlan, begun: ResumableUpload, part?: UploadPart) => {
    const asked = [plan.length, plan.description, plan.condition];
    if (!isDeepStrictEqual(asked, [begun.length, begun.description, begun.condition])) {
      throw new CodedError('idempotency_key_reused');
    }
    const now = await inspectUpload(caller, begun.id);
    const goesOn = part !== undefined && now.receipt === undefined && now.offset === 0;
    return { progress: goesOn ? await continueUpload(caller, begun.id, part) : now, isRepeated: true };
  };

  return async (caller: Caller, plan: UploadPlan, part?: UploadPart): Promise<BegunOnce> => {
    const { idempotencyKey: key } = plan;
    const find = async () => (key === undefined ? undefined : uploads.findKeyed(caller.userName, key));
    const begun = await find();
    if (begun !== undefined) return repeat(caller, plan, begun, part);
    try {
      return { progress: await beginUpload(caller, plan, part), isRepeated: false };
    } catch (error) {
      // The same may have been asked for twice at once, and the other one been first.
      const other = isCodedError(error, 'idempotency_key_reused') ? await find() : undefined;
      if (other === undefined) throw error;
      return repeat(caller, plan, other, part);
    }
  };
}
