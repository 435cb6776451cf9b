import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKnexArchives } from '../src/adapters/knex-archives.ts';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import { createLogReader, type LogReader } from '../src/domain/reading/log-reader.ts';
import { archiveRecords } from '../src/domain/retention/archive-records.ts';
import { startPythonVerifier } from './python-verifier.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

let rig: RecordRig;
let folder: TestFolder;
let reader: LogReader;
let python: ReturnType<typeof startPythonVerifier>;

beforeEach(async () => {
  rig = await createRecordRig();
  folder = await createTestFolder();
  reader = createLogReader(createKnexStoredLog(rig.db), rig);
  python = startPythonVerifier();
});
afterEach(async () => {
  python.end();
  await rig[Symbol.asyncDispose]();
  await folder.remove();
});

async function archive(): Promise<number> {
  const store = createKnexArchives({ db: rig.db, reader, folder: path.join(folder.path, 'archives') });
  const identity = { managerName: 'manager1', nodeId: 'node1' };
  const until = new Date(Date.now() + 60_000);
  const options = { until, signal: new AbortController().signal, days: 30 };
  return archiveRecords({ store, writer: rig.writer, identity }, options);
}

async function archiveFrom(first: number): Promise<string[]> {
  const names = await readdir(path.join(folder.path, 'archives'));
  const name = names.find((one) => one.startsWith(`waybill-audit-${first}-`)) ?? '';
  return (await readFile(path.join(folder.path, 'archives', name), 'utf8')).trimEnd().split('\n');
}

async function exported(): Promise<string[]> {
  let text = '';
  for await (const part of (await reader.openExport()).lines()) text += part;
  return text.trimEnd().split('\n');
}

/** What both verifiers find. */
async function findingsIn(lines: readonly string[], options: { archive?: boolean } = {}): Promise<string[]> {
  async function* each() {
    yield* lines;
  }
  const keys = (await reader.keys()).map(({ key }) => key);
  const { findings } = await verifyAuditLog({ lines: each(), keys, ...options });
  const found = findings.map(({ kind, sequence }) => `${kind} ${sequence}`).toSorted();
  const file = path.join(folder.path, 'lines.ndjson');
  await writeFile(file, `${lines.join('\n')}\n`);
  expect(await python.verify({ ...options, export: file, keys, kept: [] })).toEqual(found);
  return found;
}

it('numbers of archived records are known: what was delayed is not blamed, and what lacks is found', async () => {
  const events = someEvents(1_000);
  const [late] = events.splice(299, 1);
  const [lost] = events.splice(699, 1);
  if (!late || !lost) throw new Error('no event');
  await rig.append(events.slice(0, 600));
  expect(await archive()).toBe(512);
  await rig.append(events.slice(600));
  await rig.append(someEvents(300));
  expect(await archive()).toBe(768);
  await rig.append([late]);
  const message = expect.stringMatching(/^Number 701 missing from producer .* between 700 and 702$/u);
  expect(await rig.verify()).toMatchObject({ findings: [{ kind: 'producer_gap', sequence: 701, message }] });
  const [one, two, rest] = [await archiveFrom(1), await archiveFrom(513), await exported()];
  expect(await findingsIn(rest)).toEqual(['producer_gap 701']);
  expect(await findingsIn([...two, ...rest])).toEqual(['producer_gap 701']);
  expect(await findingsIn([...one, ...two, ...rest])).toEqual(['producer_gap 701']);
  expect(await findingsIn([...one, ...two], { archive: true })).toEqual([]);
  await rig.append([lost]);
  expect(await rig.verify()).toMatchObject({ intact: true });
  expect(await findingsIn(await exported())).toEqual([]);
});

it('without the numbers of archived records nothing is blamed', async () => {
  await rig.append(someEvents(600).toSpliced(9, 1));
  expect(await rig.findings()).toEqual(['producer_gap 10']);
  expect(await archive()).toBe(512);
  expect(await rig.findings()).toEqual(['producer_gap 10']);
  await rig.tamper('UPDATE audit.archives SET producers = NULL');
  expect(await rig.findings()).toEqual([]);
  expect(await findingsIn(await exported())).toEqual([]);
});
