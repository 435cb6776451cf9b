import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Checkpoint,
  parseCheckpoint,
  runVerifier,
  verifyAuditLog,
} from '@waybill/audit-verifier/verify-audit-log';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexArchives } from '../src/adapters/knex-archives.ts';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import { parseCheckpoint as checkpointOf } from '../src/domain/checkpoints/checkpoint.ts';
import { createLogReader, type LogReader } from '../src/domain/reading/log-reader.ts';
import { redactionEvents } from '../src/domain/redaction/redact-records.ts';
import { archiveRecords, type ArchiveStore } from '../src/domain/retention/archive-records.ts';
import { isConsistent } from '../src/domain/tree/is-consistent.ts';
import { startPythonVerifier } from './python-verifier.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';
import { writeOldChain } from './write-old-chain.ts';

let rig: RecordRig;
let folder: TestFolder;
let reader: LogReader;
let store: ArchiveStore;
const python = startPythonVerifier();

beforeEach(async () => {
  rig = await createRecordRig();
  folder = await createTestFolder();
  reader = createLogReader(createKnexStoredLog(rig.db), rig);
  store = createKnexArchives({ db: rig.db, reader, folder: path.join(folder.path, 'archives') });
});
afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await folder.remove();
});

afterAll(() => python.end());

const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const identity = { managerName: 'manager1', nodeId: 'node1' };
const archive = (until = new Date(Date.now() + 60_000), other: Partial<ArchiveStore> = {}) =>
  archiveRecords(
    { store: { ...store, ...other }, writer: rig.writer, identity },
    { until, signal: new AbortController().signal, days: 30 },
  );
const files = async () => (await readdir(path.join(folder.path, 'archives'))).toSorted();
const linesIn = async (name: string) =>
  (await readFile(path.join(folder.path, 'archives', name), 'utf8')).trimEnd().split('\n');
const exported = async () => {
  let text = '';
  for await (const part of (await reader.openExport()).lines()) text += part;
  return text.trimEnd().split('\n');
};
/** What both verifiers find. */
const verify = async (lines: readonly string[], options: { kept?: Checkpoint[]; archive?: boolean } = {}) => {
  async function* each() {
    yield* lines;
  }
  const keys = (await reader.keys()).map(({ key }) => key);
  const { findings, ...outcome } = await verifyAuditLog({ lines: each(), keys, ...options });
  const found = findings.map(({ kind, sequence }) => `${kind} ${sequence}`).toSorted();
  const file = path.join(folder.path, 'lines.ndjson');
  await writeFile(file, `${lines.join('\n')}\n`);
  const kept = (options.kept ?? []).map(({ note }) => note);
  expect(await python.verify({ ...options, export: file, keys, kept })).toEqual(found);
  return { ...outcome, findings: found };
};
const stored = async () => {
  const [row] = await rig.db('audit.records').min({ first: 'sequence' }).max({ last: 'sequence' });
  return [Number(row?.first), Number(row?.last)];
};

describe('retention', () => {
  it('moves whole tiles of old records into a verified file, and records it; all proofs remain', async () => {
    const early = await rig.append(someEvents(300));
    const later = await rig.append(someEvents(700));
    expect(await archive()).toBe(768);
    expect(await stored()).toEqual([769, 1_001]);
    const [name = ''] = await files();
    expect(name).toMatch(/^waybill-audit-1-768-[\da-f]{16}\.ndjson$/u);
    const [record] = await rig.db('audit.records').where('audit_code', 'AUD0114A');
    expect(record).toMatchObject({
      entity_id: '1-768',
      audit_message: expect.stringContaining(
        `were moved to the archive ${name} with the SHA-256 ${record.entity_name}`,
      ),
    });
    expect(await rig.verify()).toMatchObject({ intact: true, records: 233, lastSequence: 1_001, archivedRecords: 768 });
    // The proofs need hashes of archived leaves.
    const now = existing(checkpointOf(await reader.checkpoint({ mustBeCosigned: false })));
    for (const note of [early.checkpoint, later.checkpoint]) {
      const older = existing(checkpointOf(note));
      const proof = (await reader.proveConsistency(older.size, now.size)).split('\n').filter(Boolean);
      expect(
        isConsistent(
          older,
          now,
          proof.map((hash) => Buffer.from(hash, 'base64')),
        ),
      ).toBe(true);
    }
    expect(await reader.tile({ level: 0, number: 1, width: 256 })).toHaveLength(256 * 32);
    expect(await rig.createWriter()(someEvents(1))).toMatchObject({ size: 1_002 });
    expect(await archive()).toBe(0);
  });

  it('leaves a log that auditors verify with its archives, or without them', async () => {
    await rig.append(someEvents(600));
    const kept = parseCheckpoint((await rig.append(someEvents(10))).checkpoint);
    await archive();
    await rig.append(someEvents(900));
    await archive();
    const [name1 = '', name2 = ''] = await files();
    const [one, two, rest] = [await linesIn(name1), await linesIn(name2), await exported()];
    expect(await verify([...one, ...two, ...rest], { kept: [kept] })).toMatchObject({
      findings: [],
      records: 1_512,
      archived: 0,
    });
    expect(await verify(rest)).toMatchObject({ findings: [], records: 1_512, archived: 1_280 });
    expect(await verify(rest, { kept: [kept] })).toMatchObject({ findings: ['archive_missing 610'] });
    expect(await verify(one, { archive: true })).toMatchObject({ findings: [], records: 512, isArchive: true });
    expect(await verify(two, { archive: true })).toMatchObject({ findings: [], records: 1_280, archived: 512 });
    expect(await verify([...two, ...rest])).toMatchObject({ findings: [], archived: 512 });
    expect(await verify([...one, ...two], { archive: true })).toMatchObject({ findings: [], records: 1_280 });
    const [paths, rest2] = [
      [name1, name2].map((name) => path.join(folder.path, 'archives', name)),
      path.join(folder.path, 'rest'),
    ];
    await writeFile(rest2, `${rest.join('\n')}\n`);
    const printed: string[] = [];
    expect(await runVerifier({ archive: paths, file: rest2 }, (line) => printed.push(line))).toBe(0);
    expect(printed.at(-1)).toBe('1512 records, 0 findings');
    const archives = paths.flatMap((file) => ['--archive', file]);
    const command = [waybill, 'audit', 'verify', ...archives, '--file', rest2];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env: spawnEnvironment({}) });
    expect(stdout).toContain('1512 records, 0 findings');
    expect(await runVerifier({ file: rest2 }, (line) => printed.push(line))).toBe(0);
    expect(printed.join('\n')).toMatch(/Records 1 to 1280 are in archives, the last with the SHA-256 [\da-f]{64}\./u);
    expect(await runVerifier({ archive: paths[1] }, (line) => printed.push(line))).toBe(0);
    expect(printed.join('\n')).toContain('This is an archive: it ends with record 1280 of 151');
    // An archive is not accepted in place of an export, and none may be missing in between.
    expect(await verify(one)).toMatchObject({ findings: ['tail_missing 513'] });
    expect((await verify([...one, ...rest])).findings).toContain('records_missing 513');
    const edited = one.with(9, existing(one[9]).replace('acme', 'mallory'));
    expect((await verify(edited, { archive: true })).findings).toContain('record_altered 10');
    expect((await verify([...edited, ...two, ...rest])).findings).toContain('root_mismatch 1');
    const rehashed = one.slice(0, 100).concat(one.slice(-1));
    expect((await verify(rehashed, { archive: true })).findings).toEqual(['root_mismatch 1']);
  });

  it('of which the log has no record is a finding', async () => {
    await rig.append(someEvents(1_000));
    const forge = (last: number) =>
      rig.tamper(`INSERT INTO audit.archives (first_sequence, last_sequence, last_id, file, hash)
          SELECT 1, sequence, id, '', '' FROM audit.records WHERE sequence = ${last};
        DELETE FROM audit.records WHERE sequence <= ${last}`);
    await forge(512);
    expect(await rig.findings()).toEqual(['records_missing 1']);
    expect((await verify(await exported())).findings).toEqual(['records_missing 1']);
    await rig.tamper('UPDATE audit.archives SET last_sequence = 2048');
    expect(await rig.findings()).toContain('records_missing 1');
  });

  it('keeps younger records, and those on hold with all after them', async () => {
    await rig.append(someEvents(1_000));
    expect(await archive(new Date(Date.now() - 3_600_000))).toBe(0);
    const hold = (values: string) =>
      rig.db.raw(`INSERT INTO audit.holds (id, reason, placed_by, first_sequence, last_sequence, from_time, to_time)
        VALUES (gen_random_uuid(), 'lawsuit', 'admin', ${values})`);
    await hold("1, 5000, NULL, '2020-01-01'");
    await hold('300, 310, NULL, NULL');
    expect(await archive()).toBe(256);
    await rig.db.raw("UPDATE audit.holds SET released_by = 'admin', released_at = now(), release_reason = 'over'");
    await hold("NULL, NULL, '2020-01-01', NULL");
    expect(await archive()).toBe(0);
    expect(await rig.verify()).toMatchObject({ intact: true });
    await expect(rig.db.raw('DELETE FROM audit.holds')).rejects.toThrow('append-only');
    await expect(rig.db.raw("UPDATE audit.holds SET reason = 'x'")).rejects.toThrow('append-only');
  });

  it('deletes nothing if the file cannot be written, or is not what was written, or the records have changed', async () => {
    await rig.append(someEvents(600));
    const blocked = path.join(folder.path, 'file');
    await writeFile(blocked, '');
    const elsewhere = createKnexArchives({ db: rig.db, reader, folder: path.join(blocked, 'x') });
    await expect(archive(undefined, elsewhere)).rejects.toThrow('records 1 to 512 could not be archived');
    const forged: LogReader = {
      ...reader,
      archive: async function* lines(range) {
        for await (const part of reader.archive(range)) yield part.replace('acme', 'mallory');
      },
    };
    const damaged = createKnexArchives({ db: rig.db, reader: forged, folder: path.join(folder.path, 'archives') });
    await expect(archive(undefined, damaged)).rejects.toThrow('it was verified: record_altered 1');
    const slow: Pick<ArchiveStore, 'write'> = {
      write: async (range) => {
        const file = await store.write(range);
        await rig.db.raw("SELECT audit.redact(ARRAY[7], '{dataoneUser}')");
        return file;
      },
    };
    await expect(archive(undefined, slow)).rejects.toThrow('values were erased after records 1 to 512 were archived');
    expect(await files()).toEqual([]);
    expect(await stored()).toEqual([1, 600]);
    await rig.append(redactionEvents([7], { ...identity, user: 'admin', fields: ['dataoneUser'], reason: 'x' }));
    expect(await archive()).toBe(512);
    expect(await verify(await linesIn(existing((await files())[0])), { archive: true })).toMatchObject({
      findings: [],
      redacted: 1,
    });
  });

  it('works within a former hash chain', async () => {
    await rig.tamper('ALTER TABLE audit.records DISABLE TRIGGER USER');
    await writeOldChain(rig.db, rig.signer, 600);
    await rig.tamper('ALTER TABLE audit.records ENABLE TRIGGER USER');
    await rig.append(someEvents(50));
    expect(await archive()).toBe(512);
    expect(await rig.verify()).toMatchObject({ intact: true, archivedRecords: 512 });
    const [name = ''] = await files();
    expect(await verify([...(await linesIn(name)), ...(await exported())])).toMatchObject({
      findings: [],
      records: 652,
    });
    expect(await verify(await exported())).toMatchObject({ findings: [], records: 652, archived: 512 });
  });

  it.each([
    'DELETE FROM audit.records WHERE sequence = 1',
    "SELECT audit.drop_archived(256, '')",
    "UPDATE audit.archives SET file = 'x'",
    'DELETE FROM audit.leaf_tiles',
  ])('%s is refused', async (sql) => {
    await rig.append(someEvents(600));
    await archive();
    await rig.append(someEvents(600));
    await expect(rig.db.raw(sql.replace('= 1', '= 600'))).rejects.toThrow(
      /append-only|query returned no rows|not those at the beginning/u,
    );
  });
});
