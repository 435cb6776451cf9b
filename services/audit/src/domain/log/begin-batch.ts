import { randomBytes } from 'node:crypto';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import { type IdentifiedEvent, nilId } from '../records/log-record.ts';
import { emptyRange, rootOf } from '../tree/compact-range.ts';
import { emptyRoot } from '../tree/tree-hash.ts';
import type { AnchoredStates, CheckpointMemory } from './checkpoint-memory.ts';
import { findRefusal, refusalOf } from './find-refusal.ts';
import { importChain, importEvent } from './import-chain.ts';
import { restoreEvent, type WriterIdentity } from './log-events.ts';
import { faultSentence, openHead, type OpenedLog } from './open-head.ts';
import type { RecordLog, TreeHead } from './record-log.ts';

/** A log at the beginning of a batch, and what has to be recorded about it first. */
export interface Beginning {
  readonly opened: OpenedLog;
  readonly notices: readonly IdentifiedEvent[];
}

/**
 * Locks the log and verifies its end, unless it is what this process has written last. A database without a log gets a
 * new one. @throws Error if the end cannot be trusted, or contradicts what is remembered
 */
export async function beginBatch(
  log: RecordLog,
  context: {
    readonly trusted: TrustedKeys;
    readonly memory: CheckpointMemory;
    readonly anchored: AnchoredStates;
    readonly identity: WriterIdentity;
    /** What this process has written and committed last. */
    readonly latest: OpenedLog | undefined;
    /** What it has written last: trusted as well, if that is what the database has. */
    readonly stored: OpenedLog | undefined;
  },
): Promise<Beginning> {
  const { trusted, memory, anchored, identity, latest } = context;
  const head = await log.lockHead();
  if (anchored.contradiction !== undefined) throw new Error(refusalOf(anchored.contradiction));
  const known = [context.stored, latest].find((opened) => opened?.note === head?.checkpoint);
  if (head && known) return { opened: known, notices: [] };
  const remembered = await memory.read();
  const stored = head && (await verified(log, head, trusted));
  const refusal = await findRefusal({ remembered, latest, stored, hashes: log.hashes });
  const accepted = refusal === undefined ? undefined : remembered?.accepted;
  if (refusal !== undefined && !accepted) throw new Error(refusal);
  if (!latest || accepted) {
    const found = await anchored.compare(stored?.checkpoint, log.hashes);
    if (found !== undefined) throw new Error(refusalOf(found));
  }
  const beginning = stored ? { opened: stored, notices: [] } : await create(log, trusted, identity);
  if (!accepted || !remembered) return beginning;
  const { size } = beginning.opened.checkpoint;
  const notice = restoreEvent(accepted, { ...identity, remembered: remembered.checkpoint, size });
  return { ...beginning, notices: [...beginning.notices, notice] };
}

async function verified(log: RecordLog, head: TreeHead, trusted: TrustedKeys): Promise<OpenedLog> {
  const opened = openHead(head, trusted);
  if (typeof opened === 'string') throw new Error(faultSentence(opened, await log.listKeys(), trusted));
  return opened;
}

async function create(log: RecordLog, trusted: TrustedKeys, identity: WriterIdentity): Promise<Beginning> {
  const name = identity.managerName.replaceAll(/[^\w.-]/gu, '-');
  const origin = `waybill/${name}/${randomBytes(16).toString('hex')}`;
  const unsigned = { note: undefined, signedBy: undefined, lastRecordedAt: undefined };
  const head = await log.readChainHead();
  if (head) {
    const chain = await importChain(log, head, trusted);
    const { range, lastId } = chain;
    const checkpoint = { origin, size: range.size, root: rootOf(range) };
    const notice = importEvent(chain, { ...identity, head });
    return { opened: { ...unsigned, checkpoint, range, lastId }, notices: [notice] };
  }
  if (await log.hasRecordsAfter(0))
    throw new Error('The head of the audit log is missing: nothing is recorded until it is restored (docs/audit.md)');
  const checkpoint = { origin, size: 0, root: emptyRoot };
  return { opened: { ...unsigned, checkpoint, range: emptyRange, lastId: nilId }, notices: [] };
}
