import type { TreeHead } from '../log/record-log.ts';
import { exportLine } from '../records/leaf-text.ts';
import type { StoredRecord } from '../records/log-record.ts';
import type { WaitingNumbers } from '../records/producer-numbers.ts';
import type { NumberRange } from '../redaction/number-ranges.ts';
import { createRedactionCheck, erasedValuesOf, redactionOf } from '../redaction/redaction-check.ts';
import { type ArchivedStart, startLine } from '../retention/archive-lines.ts';
import { type HashSource, proveConsistency } from '../tree/tree-proofs.ts';
import { archivedMeanwhile } from './kept-records.ts';

/** The records for exports that can be verified. */
export interface WholeLog {
  /** What was archived; `undefined` if nothing was. */
  readStart(): Promise<ArchivedStart | undefined>;
  /** The records from `first` to `last`, in batches. */
  readRecords(range: NumberRange): AsyncIterable<readonly StoredRecord[]>;
  /** The numbers of producers in the outbox, and in records after `last`, at one moment. */
  readWaiting(last: number): Promise<WaitingNumbers[]>;
  readonly hashes: HashSource;
}

/**
 * The lines of all records. If the values of one were erased after the export began, it goes on until it has the record of
 * that. Returns the end of the log that the export reaches.
 */
export async function* wholeLog(
  log: WholeLog,
  { stored, head }: { readonly stored: TreeHead; head(): Promise<TreeHead> },
): AsyncGenerator<string, TreeHead, undefined> {
  const redactions = createRedactionCheck();
  const start = await log.readStart();
  yield* startLines(start);
  // Read after the start: the record that names the last archive is part of the export.
  let [exported, end] = [start?.range.size ?? 0, start ? await head() : stored];
  for (;;) {
    for await (const records of recordsWithoutGap(log, { first: exported + 1, last: end.size })) {
      redactions.take({
        erased: records.flatMap((record) => erasedValuesOf(record) ?? []),
        redactions: records.flatMap((record) => redactionOf(record) ?? []),
      });
      yield linesOf(records);
    }
    const before = exported;
    if (redactions.unrecorded().every(({ sequence }) => sequence <= before)) return end;
    [exported, end] = [end.size, await head()];
  }
}

/** The lines of an archive, whose end has the proof that its records are in the tree. */
export async function* archiveOf(
  log: WholeLog,
  range: NumberRange,
  { end, keys }: { readonly end: TreeHead; readonly keys: readonly string[] },
): AsyncGenerator<string, undefined> {
  yield* startLines(await log.readStart());
  for await (const records of recordsWithoutGap(log, range)) yield linesOf(records);
  const proof = (await proveConsistency(log.hashes, range.last, end.size)).map((hash) => hash.toString('base64'));
  yield `${JSON.stringify({ checkpoint: end.checkpoint, keys, proof })}\n`;
}

function* startLines(start: ArchivedStart | undefined): Generator<string> {
  if (start) yield `${startLine(start)}\n`;
}

function linesOf(records: readonly StoredRecord[]): string {
  return records.map((record) => `${exportLine(record)}\n`).join('');
}

/** @throws CodedError `service_unavailable` if records are archived while they are read */
async function* recordsWithoutGap(
  log: WholeLog,
  { first, last }: NumberRange,
): AsyncGenerator<readonly StoredRecord[], undefined> {
  let next = first;
  for await (const records of log.readRecords({ first, last })) {
    if (records[0]?.sequence !== next && (await log.readStart())?.range.size !== first - 1) throw archivedMeanwhile();
    next = (records.at(-1)?.sequence ?? last) + 1;
    yield records;
  }
}
