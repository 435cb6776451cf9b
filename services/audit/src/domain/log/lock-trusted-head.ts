import { genesis, type ChainHead } from '../chain/chain-head.ts';
import { isHeadSigned } from '../chain/signed-head.ts';
import { signedByUnknown, type TrustedKeys } from '../keys/trusted-keys.ts';
import type { RecordLog } from './record-log.ts';

/**
 * Locks the head for the only writer. The log is never continued from a head that no trusted key has signed, because
 * this would confirm manipulations. @throws Error if the head was tampered with, or is missing although there are
 * records
 */
export async function lockTrustedHead(log: RecordLog, trusted: TrustedKeys): Promise<ChainHead> {
  const head = await log.lockHead();
  if (!head) {
    if (await log.isEmpty()) return genesis;
    throw new Error('The head of the audit log is missing: nothing is recorded until it is restored (docs/audit.md)');
  }
  if (isHeadSigned(head, trusted)) return head;
  const until = 'nothing is recorded until it is restored (docs/audit.md)';
  const reason = trusted.has(head.publicKey) ? `was altered: ${until}` : signedByUnknown(head.publicKey);
  throw new Error(`The head of the audit log ${reason}`);
}
