import { waitFor } from '@waybill/test-kit/wait-for';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import type { StoredRecord } from '../src/domain/records/log-record.ts';
import { createAuditRig } from './audit-rig.ts';
import type { RecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

/** The numbers from `first` to `last`. */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The first records of a log. */
export async function storedRecords({ db }: Pick<RecordRig, 'db'>): Promise<readonly StoredRecord[]> {
  for await (const records of createKnexStoredLog(db).readRecords({ first: 1, last: 1_000 })) return records;
  return [];
}

/** A log, and audit services that forward its records to the loopback interface. */
export async function createForwardRig() {
  const rig = await createAuditRig();
  const settings = {
    AUDIT_FORWARD_SECONDS: '0',
    AUDIT_FORWARD_RETRY_SECONDS: '0.2',
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const positionOf = async (): Promise<number> => {
    const row: { position: string } | undefined = await rig.record
      .db('audit.forward_positions')
      .first<{ position: string }>('position');
    return Number(row?.position ?? -1);
  };
  return {
    ...rig,
    settings,
    start: (forwarding: string, overrides: Readonly<Record<string, string>> = {}) =>
      rig.start({ ...settings, AUDIT_FORWARDING: forwarding, ...overrides }),
    /** Appends records, as another process does. */
    append: (count: number, text?: string) => rig.record.append(someEvents(count, text)),
    positionOf,
    /** Waits until the only destination has confirmed the record. */
    confirmed: (position: number) =>
      waitFor(async () => (await positionOf()) === position, { what: `record ${position} to be confirmed` }),
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}
