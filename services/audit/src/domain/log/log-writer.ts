import { checkpointText } from '../checkpoints/checkpoint.ts';
import { signNote } from '../checkpoints/signed-note.ts';
import { extendLog } from '../records/extend-log.ts';
import type { IdentifiedEvent } from '../records/log-record.ts';
import { type CompactRange, extendRange, rootOf } from '../tree/compact-range.ts';
import { beginBatch } from './begin-batch.ts';
import type { CheckpointMemory } from './checkpoint-memory.ts';
import { chooseKey, type LogKeys } from './choose-key.ts';
import type { WriterIdentity } from './log-events.ts';
import type { OpenedLog } from './open-head.ts';
import type { RecordLog } from './record-log.ts';

/** The result of a batch. */
export interface AppendOutcome {
  readonly appended: number;
  /** Events that were already recorded. */
  readonly repeated: number;
  /** The number of all records. */
  readonly size: number;
  /** The last checkpoint, a signed note. */
  readonly checkpoint: string;
  /** To be called after the commit of the transaction. */
  remember(): void;
}

/** Appends to the audit log. */
export interface LogWriter {
  /**
   * Appends events, each id once, in the given order, and signs a checkpoint. The new root is computed from the leaves
   * just written and from nodes that the previous checkpoint signs, never from other tables.
   * @throws Error if the end of the log cannot be trusted, or contradicts what is remembered
   */
  append(log: RecordLog, events: readonly IdentifiedEvent[]): Promise<AppendOutcome>;
}

/** Creates a writer. It trusts the end of the log without checks while that is what it has written last. */
export function createLogWriter(parts: {
  readonly keys: LogKeys;
  readonly memory: CheckpointMemory;
  readonly identity: WriterIdentity;
}): LogWriter {
  const { keys, memory, identity } = parts;
  let latest: OpenedLog | undefined;
  const outcomeOf = (counts: Pick<AppendOutcome, 'appended' | 'repeated'>, opened: OpenedLog, note: string) => ({
    ...counts,
    size: opened.checkpoint.size,
    checkpoint: note,
    remember: () => {
      latest = opened;
      memory.remember(note);
    },
  });
  return {
    append: async (log, events) => {
      const { opened, notices } = await beginBatch(log, { trusted: keys.trusted, memory, identity, latest });
      const { signer, notices: keyNotices } = await chooseKey(log, opened, parts);
      const wanted = [...notices, ...keyNotices, ...events];
      const recorded = await log.findRecorded(wanted.map(({ id }) => id));
      const added = wanted.filter(({ id }) => !recorded.has(id));
      const counts = { appended: added.length, repeated: wanted.length - added.length };
      const { checkpoint, range, lastId, note } = opened;
      if (added.length === 0 && note !== undefined) return outcomeOf(counts, opened, note);
      const { records, leafHashes, lastLeaf = '' } = extendLog({ size: range.size, lastId }, added, new Date());
      const grown = grow(range, leafHashes);
      const next = { origin: checkpoint.origin, size: grown.range.size, root: rootOf(grown.range) };
      const signed = signNote(checkpointText(next), { name: next.origin, signer });
      await log.append(records);
      await log.appendNodes(grown.completed);
      await log.saveHead({ size: next.size, frontier: grown.frontier, lastLeaf, checkpoint: signed });
      const written = { checkpoint: next, note: signed, signedBy: signer.publicKey, range: grown.range };
      return outcomeOf(counts, { ...written, lastId: records.at(-1)?.id ?? lastId }, signed);
    },
  };
}

/** Extends the tree, and returns its nodes without the last leaf as well. */
function grow(range: CompactRange, leafHashes: readonly Buffer[]) {
  const before = extendRange(range, leafHashes.slice(0, -1));
  const after = extendRange(before.range, leafHashes.slice(-1));
  const completed = [...before.completed, ...after.completed];
  return { range: after.range, frontier: Buffer.concat(before.range.nodes), completed };
}
