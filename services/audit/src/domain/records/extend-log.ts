import { randomBytes } from 'node:crypto';
import { leafHash } from '../tree/tree-hash.ts';
import { leafText } from './leaf-text.ts';
import type { IdentifiedEvent, StoredRecord } from './log-record.ts';

/** New records with their leaves. */
export interface Extension {
  readonly records: StoredRecord[];
  readonly leafHashes: Buffer[];
  /** The text of the last leaf; `undefined` without records. */
  readonly lastLeaf: string | undefined;
}

const saltBytes = 16;
const noContext = {};

/** The records of these events after the last record of a log, in the given order. */
export function extendLog(
  last: { readonly size: number; readonly lastId: string },
  events: readonly IdentifiedEvent[],
  now: Date,
): Extension {
  const salts = randomBytes(saltBytes * events.length).toString('hex');
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
      salt: salts.slice(index * saltBytes * 2, (index + 1) * saltBytes * 2),
      salts: null,
      commitments: null,
      recordedAt,
      previousHash: null,
    };
    lastLeaf = leafText(record);
    const hash = leafHash(lastLeaf);
    records.push({ ...record, hash: hash.toString('hex') });
    leafHashes.push(hash);
    correlationId = id;
  }
  return { records, leafHashes, lastLeaf };
}
