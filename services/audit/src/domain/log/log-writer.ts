import type { IdentifiedEvent } from '../records/log-record.ts';
import { beginBatch } from './begin-batch.ts';
import type { AnchoredStates, CheckpointMemory } from './checkpoint-memory.ts';
import { chooseKey, type LogKeys } from './choose-key.ts';
import type { WriterIdentity } from './log-events.ts';
import type { OpenedLog } from './open-head.ts';
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts';
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

interface WriterParts {
  readonly keys: LogKeys;
  readonly memory: CheckpointMemory;
  readonly anchored: AnchoredStates;
  readonly identity: WriterIdentity;
}

/**
 * Creates a writer. It trusts the end of the log without checks while that is what it has written last. Batches may be
 * appended in overlapping transactions: they are stored in the order of the calls, and a batch is hashed while the one
 * before is being stored.
 */
export function createLogWriter(parts: WriterParts): LogWriter {
  return new OverlappingWriter(parts);
}

class OverlappingWriter implements LogWriter {
  readonly #parts: WriterParts;
  /** What was committed last. */
  #latest: OpenedLog | undefined;
  /** What was stored last; its transaction may still be running, or have failed. */
  #stored: OpenedLog | undefined;
  /** The end of the log that the next batch will probably continue. */
  #expected: OpenedLog | undefined;
  #storing: Promise<unknown> = Promise.resolve();

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  append(log: RecordLog, events: readonly IdentifiedEvent[]): Promise<AppendOutcome> {
    const from = this.#expected ?? this.#latest;
    const { signer } = this.#parts.keys;
    const prepared = from && events.length > 0 ? prepareBatch(log, { from, events, signer }) : undefined;
    const settle = (end: OpenedLog | undefined): void => {
      if (this.#expected === prepared?.opened) this.#expected = end;
    };
    const outcome = this.#storing.then(() => this.#store(log, events, prepared));
    this.#expected = prepared?.opened;
    this.#storing = outcome.then(
      () => settle(this.#stored),
      () => settle(undefined),
    );
    return outcome;
  }

  async #store(
    log: RecordLog,
    events: readonly IdentifiedEvent[],
    prepared: PreparedBatch | undefined,
  ): Promise<AppendOutcome> {
    const { trusted } = this.#parts.keys;
    const [latest, stored] = [this.#latest, this.#stored];
    const { opened, notices } = await beginBatch(log, { ...this.#parts, trusted, latest, stored });
    const { signer, notices: keyNotices } = await chooseKey(log, opened, this.#parts);
    const wanted = [...notices, ...keyNotices, ...events];
    const recorded = await log.findRecorded(wanted.map(({ id }) => id));
    const added = recorded.size === 0 ? wanted : wanted.filter(({ id }) => !recorded.has(id));
    this.#stored = opened;
    const counts = { appended: added.length, repeated: wanted.length - added.length };
    if (added.length === 0 && opened.note !== undefined) return this.#outcomeOf(counts, opened, opened.note);
    const isUsable = prepared?.from === opened && prepared.signer === signer && added.length === prepared.events.length;
    const batch = isUsable ? prepared : prepareBatch(log, { from: opened, events: added, signer });
    await batch.store();
    this.#stored = batch.opened;
    return this.#outcomeOf(counts, batch.opened, batch.opened.note);
  }

  #outcomeOf(
    counts: Pick<AppendOutcome, 'appended' | 'repeated'>,
    opened: OpenedLog,
    checkpoint: string,
  ): AppendOutcome {
    return {
      ...counts,
      size: opened.checkpoint.size,
      checkpoint,
      remember: () => {
        this.#latest = opened;
        this.#parts.memory.remember(checkpoint);
      },
    };
  }
}
