import type { ChainHead } from '../chain/chain-head.ts';
import { extendChain, type IdentifiedEvent } from '../chain/extend-chain.ts';
import { signHead } from '../chain/signed-head.ts';
import type { Signer } from '../keys/signer.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import { lockTrustedHead } from './lock-trusted-head.ts';
import type { RecordLog } from './record-log.ts';

/** The result of a batch. */
export interface AppendOutcome {
  readonly appended: number;
  /** Events that were already recorded. */
  readonly repeated: number;
  readonly head: ChainHead;
}

/**
 * Appends events to the audit log, each id once, in the given order, and moves the signed head. @throws Error if
 * the head cannot be trusted
 */
export async function appendEvents(options: {
  log: RecordLog;
  events: readonly IdentifiedEvent[];
  signer: Signer;
  trusted: TrustedKeys;
}): Promise<AppendOutcome> {
  const { log, events, signer, trusted } = options;
  const head = await lockTrustedHead(log, trusted);
  const recorded = await log.findRecorded(events.map(({ id }) => id));
  const records = extendChain(
    head,
    events.filter(({ id }) => !recorded.has(id)),
  );
  const last = records.at(-1);
  if (!last) return { appended: 0, repeated: events.length, head };
  const moved = { ...head, sequence: last.sequence, recordId: last.id, recordHash: last.hash };
  await log.append(records);
  await log.saveHead(signHead(moved, signer));
  return { appended: records.length, repeated: events.length - records.length, head: moved };
}
