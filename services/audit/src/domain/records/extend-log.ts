import { randomBytes } from 'node:crypto';
import { leafHashText } from '../tree/tree-hash.ts';
import { leafText } from './leaf-text.ts';
import type { IdentifiedEvent, StoredRecord } from './log-record.ts';
import { countFields, saltLength } from './personal-fields.ts';

/** New records with their leaves. */
export interface Extension {
  readonly records: StoredRecord[];
  readonly leafHashes: Buffer[];
  /** The text of the last leaf; `undefined` without records. */
  readonly lastLeaf: string | undefined;
}

const noContext = {};

/** The records of these events after the last record of a log, in the given order. */
export function extendLog(
  last: { readonly size: number; readonly lastId: string },
  events: readonly IdentifiedEvent[],
  now: Date,
): Extension {
  const salts = saltsOf(events);
  const recordedAt = now.toISOString();
  const records: StoredRecord[] = [];
  const leafHashes: Buffer[] = [];
  let lastLeaf: string | undefined;
  let correlationId = last.lastId;
  for (const [index, { id, payload }] of events.entries()) {
    const record = {
      ...payload,
      // The hashed value must be the one that the database returns: milliseconds, UTC.
      auditTime: new Date(payload.auditTime).toISOString(),
      id,
      sequence: last.size + index + 1,
      correlationId,
      context: payload.context ?? noContext,
      producer: payload.producer ?? null,
      salt: salts[index] ?? '',
      commitments: null,
      recordedAt,
      previousHash: null,
    };
    lastLeaf = leafText(record);
    const hash = leafHashText(lastLeaf);
    records.push({ ...record, hash });
    leafHashes.push(Buffer.from(hash, 'hex'));
    correlationId = id;
  }
  return { records, leafHashes, lastLeaf };
}

/** The salts of each record: 16 random bytes for each of its personal fields, in hexadecimal. */
function saltsOf(events: readonly IdentifiedEvent[]): string[] {
  const lengths = events.map(({ payload }) => saltLength * countFields(payload.context ?? noContext));
  const random = randomBytes(lengths.reduce((sum, length) => sum + length, 0) / 2).toString('hex');
  let end = 0;
  return lengths.map((length) => random.slice(end, (end += length)));
}
