import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { TransferringCaller } from '../access/caller.ts';
import type { FilePlace } from '../access/file-access.ts';
import { httpDoor } from '../access/file-user-of.ts';
import type { AnsweredUpload, ReceiptBook } from '../receipts/receipt-book.ts';
import type { Receipt } from '../receipts/receipt.ts';
import type { IncomingFile } from './incoming-file.ts';
import { repeatableUpload } from './repeatable-upload.ts';
import type { StoreFile } from './store-file.ts';
import { type AskedCondition, assertCondition } from './write-condition.ts';

/** What accepting works with. */
export interface AcceptUploadPorts {
  readonly filebox: Pick<Filebox, 'find'>;
  readonly receipts: Pick<ReceiptBook, 'findAnswered'>;
  readonly storeFile: StoreFile;
}

/** How an upload was asked for. */
export interface UploadRequest {
  readonly condition: AskedCondition | undefined;
  readonly idempotencyKey: string | undefined;
}

/** What was stored, now or when the same upload came the first time. */
export interface AcceptedUpload {
  readonly receipt: Receipt;
  readonly isRepeated: boolean;
}

/**
 * Stores a file once, however often it is sent under the same key: afterwards the key decides before any condition does.
 * @throws CodedError as `store-file` does
 */
export type AcceptUpload = (
  caller: TransferringCaller,
  place: FilePlace,
  incoming: IncomingFile,
  request: UploadRequest,
) => Promise<AcceptedUpload>;

/** Accepts uploads, and repeats the answer of those that came before. */
export function createAcceptUpload({ filebox, receipts, storeFile }: AcceptUploadPorts): AcceptUpload {
  const asker = { door: httpDoor, store: filebox };
  return async (caller, place, incoming, { condition: asked, idempotencyKey: key }) => {
    if (key === undefined) {
      const condition = await assertCondition(asker, place, asked);
      return { receipt: await storeFile(caller, place, incoming, { condition }), isRepeated: false };
    }
    const upload = repeatableUpload(place.target.path, incoming);
    const answered = await receipts.findAnswered(caller.user, key);
    if (answered !== undefined) return answer(answered, await upload.fingerprint());
    const condition = await assertCondition(asker, place, asked);
    const { incoming: watched, fingerprint } = upload;
    try {
      const receipt = await storeFile(caller, place, watched, { condition, keyed: { key, fingerprint } });
      return { receipt, isRepeated: false };
    } catch (error) {
      // The same upload may have been sent twice at once, and the other one been first.
      const other = await receipts.findAnswered(caller.user, key);
      const sent = other && (await fingerprint());
      if (other === undefined || sent === undefined) throw error;
      return answer(other, sent);
    }
  };
}

function answer({ fingerprint, receipt }: AnsweredUpload, sent: string | undefined): AcceptedUpload {
  if (sent !== fingerprint) throw new CodedError('idempotency_key_reused');
  return { receipt, isRepeated: true };
}
