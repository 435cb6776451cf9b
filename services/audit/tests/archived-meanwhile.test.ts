import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { auditFilterSchema } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexArchives } from '../src/adapters/knex-archives.ts';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import { createKnexLogSource } from '../src/adapters/verification/knex-log-source.ts';
import { createLogReader, type ExportOptions, type StoredLog } from '../src/domain/reading/log-reader.ts';
import { archiveRecords } from '../src/domain/retention/archive-records.ts';
import type { LogSource } from '../src/domain/verification/log-source.ts';
import { createVerifier } from '../src/domain/verification/verifier.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

let rig: RecordRig;
let folder: TestFolder;
let log: StoredLog;

beforeEach(async () => {
  rig = await createRecordRig();
  folder = await createTestFolder();
  log = createKnexStoredLog(rig.db);
  for (let batch = 0; batch < 5; batch += 1) await rig.append(someEvents(2_000, `batch${batch}`));
});
afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await folder.remove();
});

/** Archives all records that can be archived, as a process of its own. */
const archive = () =>
  archiveRecords(
    {
      store: createKnexArchives({ db: rig.db, reader: createLogReader(log, rig), folder: folder.path }),
      writer: rig.writer,
      identity: { managerName: 'manager1', nodeId: 'node1' },
    },
    { until: new Date(Date.now() + 60_000), signal: new AbortController().signal, days: 30 },
  );

/** Archives once, when the first batch of records was read. */
function archiving(): StoredLog {
  let isArchived = false;
  return {
    ...log,
    readRecords: async function* readRecords(range) {
      for await (const records of log.readRecords(range)) {
        yield records;
        if (!isArchived) await archive();
        isArchived = true;
      }
    },
  };
}

async function exportOf(from: StoredLog, options?: ExportOptions): Promise<string> {
  let text = '';
  for await (const part of (await createLogReader(from, rig).openExport(options)).lines()) text += part;
  return text;
}

/** A verification of a source, which is called before each range is checked. */
async function verify(beforeRange: () => Promise<void>, changed: Partial<LogSource> = {}) {
  const source = createKnexLogSource(rig.db);
  await using verifier = createVerifier({
    source: {
      ...source,
      checkRanges: async function* checkRanges(...args) {
        for await (const range of source.checkRanges(...args)) {
          yield range;
          await beforeRange();
        }
      },
      ...changed,
    },
    keys: rig,
    memory: rig.memory,
    anchors: { read: () => Promise.resolve([]) },
    onOutcome: () => {},
  });
  return await verifier.verify();
}

describe('a verification', () => {
  it('during which records are archived has no finding', async () => {
    let isArchived = false;
    const outcome = await verify(async () => {
      if (!isArchived) await archive();
      isArchived = true;
    });
    expect(outcome).toMatchObject({ intact: true, archivedRecords: 9_984, findings: [] });
  });

  it('that reads the end of the log before records are archived, and its start afterwards, has no finding', async () => {
    const source = createKnexLogSource(rig.db);
    let isArchived = false;
    const readEnd = async () => {
      const end = await source.readEnd();
      if (!isArchived) await archive();
      isArchived = true;
      return end;
    };
    expect(await verify(() => Promise.resolve(), { readEnd })).toMatchObject({ intact: true, findings: [] });
  });

  it('finds a manipulation during which records are archived', async () => {
    await rig.tamper("UPDATE audit.records SET entity_name = 'x' WHERE sequence = 9990");
    let isArchived = false;
    const outcome = await verify(async () => {
      if (!isArchived) await archive();
      isArchived = true;
    });
    expect(outcome.findings.map(({ kind, sequence }) => `${kind} ${sequence}`)).toContain('record_altered 9990');
    expect(outcome.archivedRecords).toBe(9_984);
  });

  it('does not end with findings while records are archived all the time', async () => {
    let archived = 0;
    const source = createKnexLogSource(rig.db);
    const readStart = async () => {
      const start = await source.readStart();
      archived += 256;
      return { lastId: '', lastChainHash: null, producers: null, ...start, range: { size: archived, nodes: [] } };
    };
    await expect(verify(() => Promise.resolve(), { readStart })).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('an export', () => {
  const filter = { text: '{entityType="File"}', filter: auditFilterSchema.parse('{entityType="File"}') };
  it.each<[string, ExportOptions | undefined]>([
    ['of all records', undefined],
    ['as CSV', { format: 'csv' }],
    ['with a filter', { q: filter }],
  ])(
    '%s during which records are archived ends with an error, and the next one is complete',
    async (_name, options) => {
      await rig.append(someEvents(20_000, 'more'));
      await expect(exportOf(archiving(), options)).rejects.toMatchObject({
        code: 'service_unavailable',
        message: expect.stringContaining('request the export again'),
      });
      await expect(exportOf(log, options)).resolves.toContain('/inbox/more-19999.csv');
    },
  );

  it('with a filter that no record matches ends with an error, too', async () => {
    const text = '{entityName="absent"}';
    let starts = 0;
    const from = {
      ...log,
      readStart: async () => {
        starts += 1;
        if (starts === 2) await archive();
        return log.readStart();
      },
    };
    await expect(exportOf(from, { q: { text, filter: auditFilterSchema.parse(text) } })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('of which records are archived before it begins to read has the record of the archive', async () => {
    let isArchived = false;
    const from = {
      ...log,
      readStart: async () => {
        if (!isArchived) {
          isArchived = true;
          await archive();
        }
        return log.readStart();
      },
    };
    const exported = (await exportOf(from)).trimEnd().split('\n');
    async function* lines() {
      yield* exported;
    }
    const keys = (await createLogReader(log, rig).keys()).map(({ key }) => key);
    expect(await verifyAuditLog({ lines: lines(), keys })).toMatchObject({ findings: [], archived: 9_984 });
  });
});

it('of two processes that archive the same records one does, and its file remains', async () => {
  const archived = await Promise.all([archive(), archive()]);
  expect(archived.toSorted((one, other) => one - other)).toEqual([0, 9_984]);
  const [row] = await rig.db('audit.archives').select<{ file: string }[]>('file');
  expect((await readdir(folder.path)).map((name) => path.basename(name))).toEqual([row?.file]);
});
