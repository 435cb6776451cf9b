import { checkpointText } from '../checkpoints/checkpoint.ts';
import { signNote } from '../checkpoints/signed-note.ts';
import type { Signer } from '../keys/signer.ts';
import { extendLog } from '../records/extend-log.ts';
import type { IdentifiedEvent } from '../records/log-record.ts';
import { type CompactRange, extendRange, rootOf, type TreeNode } from '../tree/compact-range.ts';
import type { OpenedLog } from './open-head.ts';
import type { RecordLog, TreeHead } from './record-log.ts';

/** A batch that only has to be stored. */
export interface PreparedBatch {
  readonly events: readonly IdentifiedEvent[];
  /** What it continues, and who signed it. */
  readonly from: OpenedLog;
  readonly signer: Signer;
  /** The end of the log with it. */
  readonly opened: OpenedLog & { readonly note: string };
  /** Stores the records, the nodes and the head. */
  store(): Promise<void>;
}

/**
 * Computes the records, their hashes and the next checkpoint. The new root is computed from the leaves just made and from
 * nodes that the previous checkpoint signs. It changes nothing, so that it can run while the batch before is stored.
 */
export function prepareBatch(
  log: RecordLog,
  { from, events, signer }: Pick<PreparedBatch, 'from' | 'events' | 'signer'>,
): PreparedBatch {
  const { range, lastId, checkpoint } = from;
  const now = timeAfter(from.lastRecordedAt);
  const { records, leafHashes, lastLeaf = '' } = extendLog({ size: range.size, lastId }, events, now);
  const grown = grow(range, leafHashes);
  const next = { origin: checkpoint.origin, size: grown.range.size, root: rootOf(grown.range) };
  const note = signNote(checkpointText(next), { name: next.origin, signer });
  const appendRecords = log.stage(records);
  const head: TreeHead = { size: next.size, frontier: grown.frontier, lastLeaf, checkpoint: note };
  return {
    events,
    from,
    signer,
    opened: {
      checkpoint: next,
      note,
      signedBy: signer.publicKey,
      range: grown.range,
      lastId: records.at(-1)?.id ?? lastId,
      lastRecordedAt: records.at(-1)?.recordedAt ?? from.lastRecordedAt,
    },
    store: async () => {
      await appendRecords();
      await log.appendNodes(grown.completed);
      await log.saveHead(head);
    },
  };
}

/** The present time. A batch has another one than the batch before: verifiers recognise batches by it. */
function timeAfter(before: string | undefined): Date {
  const now = new Date();
  return now.toISOString() === before ? new Date(now.getTime() + 1) : now;
}

interface Growth {
  readonly range: CompactRange;
  /** The nodes of the tree without its last leaf. */
  readonly frontier: Buffer;
  readonly completed: readonly TreeNode[];
}

function grow(range: CompactRange, leafHashes: readonly Buffer[]): Growth {
  const before = extendRange(range, leafHashes.slice(0, -1));
  const after = extendRange(before.range, leafHashes.slice(-1));
  const completed = [...before.completed, ...after.completed];
  return { range: after.range, frontier: Buffer.concat(before.range.nodes), completed };
}
