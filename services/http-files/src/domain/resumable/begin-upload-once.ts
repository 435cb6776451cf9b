import { isDeepStrictEqual } from 'node:util';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { TransferringCaller } from '../access/caller.ts';
import type { BeginResumableUpload, UploadPlan } from './begin-resumable-upload.ts';
import type { ContinueResumableUpload } from './continue-resumable-upload.ts';
import type { InspectResumableUpload } from './inspect-resumable-upload.ts';
import type { ResumableProgress } from './resumable-progress.ts';
import type { ResumableUploadBook } from './resumable-upload-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import type { UploadPart } from './upload-part.ts';

/** What beginning once works with. */
export interface BeginUploadOncePorts {
  readonly uploads: Pick<ResumableUploadBook, 'findKeyed' | 'findJoined'>;
  readonly beginUpload: BeginResumableUpload;
  readonly inspectUpload: InspectResumableUpload;
  readonly continueUpload: ContinueResumableUpload;
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
export type BeginUploadOnce = (caller: TransferringCaller, plan: UploadPlan, part?: UploadPart) => Promise<BegunOnce>;

/** Begins uploads that no earlier request has begun. */
export function createBeginUploadOnce(ports: BeginUploadOncePorts): BeginUploadOnce {
  const { uploads, beginUpload, inspectUpload, continueUpload } = ports;

  const repeat = async (caller: TransferringCaller, plan: UploadPlan, begun: ResumableUpload, part?: UploadPart) => {
    if (!isSame(plan, begun)) throw new CodedError('idempotency_key_reused');
    const now = await inspectUpload(caller, begun.id);
    const goesOn = part !== undefined && now.receipt === undefined && now.offset === 0;
    return { progress: goesOn ? await continueUpload(caller, begun.id, part) : now, isRepeated: true };
  };

  /** The parts of an upload that was joined are gone: to ask for it again is to ask for the answer that was lost. */
  const findJoined = async ({ user }: TransferringCaller, plan: UploadPlan) => {
    if (plan.concatenation?.kind !== 'final') return undefined;
    const joined = await uploads.findJoined(user, plan.concatenation);
    return joined && isSame(plan, joined) ? joined : undefined;
  };

  return async (caller, plan, part) => {
    const { idempotencyKey: key } = plan;
    const find = async () => {
      const keyed = key === undefined ? undefined : await uploads.findKeyed(caller.user, key);
      return keyed ?? (await findJoined(caller, plan));
    };
    const begun = await find();
    if (begun !== undefined) return repeat(caller, plan, begun, part);
    try {
      return { progress: await beginUpload(caller, plan, part), isRepeated: false };
    } catch (error) {
      // The same may have been asked for twice at once, and the other one been first.
      const other = isCodedError(error, 'idempotency_key_reused', 'upload_unknown') ? await find() : undefined;
      if (other === undefined) throw error;
      return repeat(caller, plan, other, part);
    }
  };
}

/** The length of a final upload is that of its parts, and one that was deferred may be known by now. */
function isSame(plan: UploadPlan, begun: ResumableUpload): boolean {
  const { description, condition, concatenation } = begun;
  if (plan.length !== undefined && plan.length !== begun.length) return false;
  const asked = [plan.description, plan.condition, plan.concatenation];
  return isDeepStrictEqual(asked, [description, condition, concatenation]);
}
