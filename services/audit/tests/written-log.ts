import { checkpointText } from '../src/domain/checkpoints/checkpoint.ts';
import { signNote, verifierKey } from '../src/domain/checkpoints/signed-note.ts';
import type { Signer } from '../src/domain/keys/signer.ts';
import { keyChangeEvent } from '../src/domain/log/log-events.ts';
import { extendLog } from '../src/domain/records/extend-log.ts';
import { exportLine, leafText } from '../src/domain/records/leaf-text.ts';
import { type IdentifiedEvent, nilId, redactedValue, type StoredRecord } from '../src/domain/records/log-record.ts';
import { commitmentsOf, personalFields } from '../src/domain/records/personal-fields.ts';
import { emptyRange, extendRange, rootOf } from '../src/domain/tree/compact-range.ts';
import { leafHash } from '../src/domain/tree/tree-hash.ts';

/** A log in memory, in the parts that an attacker may change. */
export interface WrittenLog {
  readonly origin: string;
  records: StoredRecord[];
  /** The signed checkpoints, one after each batch. */
  readonly checkpoints: string[];
  keys: string[];
}

/** Writes batches as the service does. */
export function writeLog(
  batches: readonly (readonly IdentifiedEvent[])[],
  signer: Signer,
  from?: WrittenLog,
): WrittenLog {
  const log = from ?? { origin: 'waybill/manager1/00', records: [], checkpoints: [], keys: [] };
  const copy = { ...log, records: [...log.records], checkpoints: [...log.checkpoints], keys: [...log.keys] };
  copy.keys.push(verifierKey(copy.origin, signer.publicKey));
  // As in the service, no batch has the time of the batch before.
  const before = Date.parse(copy.records.at(-1)?.recordedAt ?? '') || 0;
  const firstMs = Math.max(Date.now(), before + 1);
  for (const [index, batch] of batches.entries()) {
    const last = { size: copy.records.length, lastId: copy.records.at(-1)?.id ?? nilId };
    copy.records.push(...extendLog(last, batch, new Date(firstMs + index)).records);
    copy.checkpoints.push(signRecords(copy, signer));
  }
  return copy;
}

/** The event of a change of keys at the end of a log. */
export function keyChange(log: WrittenLog, from: Signer, to: Signer): IdentifiedEvent {
  const writer = { managerName: 'manager1', nodeId: 'node1', origin: log.origin };
  return keyChangeEvent({ ...writer, from: from.publicKey, to: to.publicKey, size: log.records.length });
}

/** A checkpoint of the records of a log, whatever they are. */
export function signRecords({ origin, records }: Pick<WrittenLog, 'origin' | 'records'>, signer: Signer): string {
  const { range } = extendRange(
    emptyRange,
    records.map((record) => leafHash(leafText(record))),
  );
  return signNote(checkpointText({ origin, size: records.length, root: rootOf(range) }), { name: origin, signer });
}

/** A record whose hash fits its other fields. */
export function rehashed(record: StoredRecord): StoredRecord {
  return { ...record, hash: leafHash(leafText(record)).toString('hex') };
}

/** A record without the values of these fields. */
export function redacted(record: StoredRecord, fields: readonly string[]): StoredRecord {
  const all = Object.entries(commitmentsOf(record));
  const salts = record.salt?.match(/.{32}/gu) ?? [];
  const isErased = ([name]: readonly [string, unknown]) => fields.includes(name);
  return {
    ...record,
    ...Object.fromEntries(personalFields.filter((name) => fields.includes(name)).map((name) => [name, redactedValue])),
    context: Object.fromEntries(Object.entries(record.context).filter((member) => !isErased(member))),
    salt: all.map((entry, index) => (isErased(entry) ? '' : salts[index])).join(''),
    commitments: Object.fromEntries(all.filter(isErased)),
  };
}

/** The lines of an export. */
export function exportOf({ records, checkpoints, keys }: WrittenLog): string[] {
  return [...records.map(exportLine), JSON.stringify({ checkpoint: checkpoints.at(-1), keys })];
}
