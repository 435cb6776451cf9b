import { existing } from '@waybill/test-kit/values/existing';
import type { StoredRecord } from '../src/domain/records/log-record.ts';
import { redactionEvents } from '../src/domain/redaction/redact-records.ts';
import { createTestSigner, someEvents } from './some-events.ts';
import { redacted, rehashed, signRecords, writeLog, type WrittenLog } from './written-log.ts';

/** Batches of so many events. */
export const batchesOf = (...counts: readonly number[]) =>
  counts.map((count, index) => someEvents(count, `${index} ü "\\ \u2028`));

/** The key of the platform. */
export const signer = createTestSigner();
const stranger = createTestSigner();

/** 40 records in four batches. The checkpoint of 30 was kept. */
export const honest = () => writeLog(batchesOf(10, 10, 10, 10), signer);
export const at = (log: WrittenLog, sequence: number): StoredRecord => existing(log.records[sequence - 1]);
const renumber = (log: WrittenLog) => {
  log.records = log.records.map((record, index) =>
    rehashed({ ...record, sequence: index + 1, correlationId: log.records[index - 1]?.id ?? record.correlationId }),
  );
};
/** Numbers the records again, and signs them. */
export const signAgain = (log: WrittenLog) => {
  renumber(log);
  log.checkpoints.push(signRecords(log, signer));
};
const change = (log: WrittenLog, sequence: number, changed: Partial<StoredRecord>) => {
  log.records[sequence - 1] = { ...at(log, sequence), ...changed };
};
const edit = (log: WrittenLog, sequence: number) => {
  log.records[sequence - 1] = { ...at(log, sequence), dataoneUser: 'mallory' };
};

/** A change of the log of `honest`, and what is found. */
export type Manipulation = readonly [name: string, manipulate: (log: WrittenLog) => void, findings: readonly string[]];

/** What an attacker may do to a log, and what both verifiers find if the checkpoint of 30 records was kept. */
export const manipulations: readonly Manipulation[] = [
  ['an edit', (log) => edit(log, 7), ['log_forked 30', 'record_altered 7', 'root_mismatch 1']],
  [
    'an edit with its hash, after the kept checkpoint',
    (log) => {
      edit(log, 33);
      log.records[32] = rehashed(at(log, 33));
    },
    ['root_mismatch 31'],
  ],
  [
    'an edit that was signed again',
    (log) => {
      edit(log, 7);
      signAgain(log);
    },
    ['log_forked 30'],
  ],
  [
    'a deletion',
    (log) => {
      log.records.splice(6, 1);
    },
    ['log_forked 30', 'producer_gap 8', 'records_missing 7', 'tail_missing 40'],
  ],
  [
    'a deletion with the numbers closed up',
    (log) => {
      log.records.splice(6, 1);
      renumber(log);
    },
    ['log_forked 30', 'producer_gap 7', 'tail_missing 40'],
  ],
  [
    'an insertion',
    (log) => {
      log.records.splice(6, 0, at(log, 20));
      renumber(log);
    },
    ['log_forked 30', 'tail_unknown 41'],
  ],
  [
    'a repetition',
    (log) => {
      log.records.splice(6, 0, at(log, 6));
    },
    ['log_forked 30', 'out_of_order 6', 'producer_reversed 6', 'tail_unknown 41'],
  ],
  [
    'a swap',
    (log) => {
      [log.records[4], log.records[5]] = [at(log, 6), at(log, 5)];
    },
    [
      'log_forked 30',
      'out_of_order 5',
      'producer_reversed 5',
      'records_missing 5',
      'records_missing 6',
      'root_mismatch 1',
    ],
  ],
  [
    'a truncation',
    (log) => {
      log.records.splice(35);
    },
    ['tail_missing 36'],
  ],
  [
    'an old state that was put back with its signed head',
    (log) => {
      log.records.splice(20);
      log.checkpoints.splice(2);
    },
    ['log_set_back 21'],
  ],
  [
    'a wipe',
    (log) => {
      log.records.splice(0);
      log.checkpoints.splice(0, 4, signRecords(log, signer));
    },
    ['log_set_back 1'],
  ],
  [
    'a new log in its place',
    (log) => {
      const other = writeLog(batchesOf(50), signer, {
        ...log,
        origin: 'waybill/manager1/ff',
        records: [],
        checkpoints: [],
        keys: [],
      });
      Object.assign(log, other);
    },
    ['log_replaced 30'],
  ],
  [
    'a fork that is longer than the kept checkpoint',
    (log) => {
      const old = { ...log, records: log.records.slice(0, 20), checkpoints: [] };
      log.records = writeLog([someEvents(30, 'fork')], signer, old).records;
      log.checkpoints.push(signRecords(log, signer));
    },
    ['log_forked 30'],
  ],
  [
    'a replaced checkpoint',
    (log) => {
      log.checkpoints.push(existing(log.checkpoints[2]));
    },
    ['tail_unknown 31'],
  ],
  [
    'an altered checkpoint',
    (log) => {
      log.checkpoints.push(existing(log.checkpoints[3]).replace('\n40\n', '\n39\n'));
    },
    ['signature_invalid 39', 'tail_unknown 40'],
  ],
  [
    'a foreign key',
    (log) => {
      log.checkpoints.push(signRecords(log, stranger));
    },
    ['signature_invalid 40'],
  ],
  [
    'a clock that was set back',
    (log) => {
      log.records = log.records.map((record) =>
        record.sequence > 34 ? rehashed({ ...record, recordedAt: '2020-01-01T00:00:00.000Z' }) : record,
      );
      log.checkpoints.push(signRecords(log, signer));
    },
    ['clock_set_back 35'],
  ],
  [
    'an edit of a message after the kept checkpoint',
    (log) => {
      log.records[36] = { ...at(log, 37), auditMessage: 'x' };
    },
    ['record_altered 37', 'root_mismatch 31'],
  ],
  [
    'an edit of an address',
    (log) => change(log, 36, { context: { ...at(log, 36).context, address: '203.0.113.9' } }),
    ['record_altered 36', 'root_mismatch 31'],
  ],
  [
    'a member that is added to a context',
    (log) => change(log, 36, { context: { ...at(log, 36).context, reason: 'x' } }),
    ['record_altered 36', 'root_mismatch 31'],
  ],
  [
    'a value that is shown a second time, in the context',
    (log) => change(log, 36, { context: { ...at(log, 36).context, dataoneUser: 'mallory' } }),
    ['record_altered 36', 'root_mismatch 31'],
  ],
  [
    'values that are erased without a record',
    (log) => {
      for (const sequence of [12, 35])
        log.records[sequence - 1] = redacted(at(log, sequence), ['dataoneUser', 'address']);
    },
    ['redaction_unrecorded 12', 'redaction_unrecorded 35'],
  ],
  [
    'values that are erased beside the ones that are recorded',
    (log) => {
      const event = redactionEvents([12, 13, 14, 20], {
        managerName: 'manager1',
        nodeId: 'node1',
        user: 'admin',
        fields: ['dataoneUser'],
        reason: 'x',
      });
      Object.assign(log, writeLog([event], signer, log));
      for (const sequence of [12, 13, 20, 21]) log.records[sequence - 1] = redacted(at(log, sequence), ['dataoneUser']);
      log.records[13] = redacted(at(log, 14), ['dataoneUser', 'entityId']);
    },
    ['redaction_unrecorded 14', 'redaction_unrecorded 21'],
  ],
  [
    'an edited number of a producer',
    (log) => change(log, 36, { producer: { id: 'other', number: 1, settled: 0 } }),
    ['producer_gap 37', 'record_altered 36', 'root_mismatch 31'],
  ],
];
