import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { codesElsewhere } from './audited/codes-elsewhere.ts';
import { auditedConfiguration } from './audited/configuration.ts';
import { type ExportedRecord, readRecords, recordsOf } from './audited/read-records.ts';
import type { DoorName, Doors, Row } from './audited/row.ts';
import { rowsOfAccess } from './audited/rows-of-access.ts';
import { rowsOfAccounts } from './audited/rows-of-accounts.ts';
import { rowsOfAuditLog } from './audited/rows-of-audit-log.ts';
import { rowsOfCommands } from './audited/rows-of-commands.ts';
import { rowsOfConfiguration } from './audited/rows-of-configuration.ts';
import { rowsOfJobs } from './audited/rows-of-jobs.ts';
import { rowsOfLogins } from './audited/rows-of-logins.ts';
import { rowsOfTransfers } from './audited/rows-of-transfers.ts';
import { rowsOverHttp } from './audited/rows-over-http.ts';
import { rowsOverSftp } from './audited/rows-over-sftp.ts';
import { createRunCommand } from './audited/run-command.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectSftp } from './two-doors/sftp-door.ts';

/** The table, in the order in which it is done. */
const rows = Object.entries({
  SFTP: rowsOverSftp,
  HTTP: rowsOverHttp,
  transfers: rowsOfTransfers,
  logins: rowsOfLogins,
  access: rowsOfAccess,
  jobs: rowsOfJobs,
  'the audit log': rowsOfAuditLog,
  configuration: rowsOfConfiguration,
  accounts: rowsOfAccounts,
  // They change the password of the viewer, which ends the login that rows above use.
  commands: rowsOfCommands,
}).flatMap(([table, ofTable]) => Object.entries(ofTable).map(([name, row]) => [`${table}: ${name}`, row] as const));

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let records: readonly ExportedRecord[];

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  await writeFile(file, await auditedConfiguration());
  platform = resources.use(
    await startPlatformProcess({
      WAYBILL_CONFIGURATION: file,
      AUDIT_ANCHORS: `file:${join(folder.path, 'anchored')}`,
      KEY_RELOAD_SECONDS: '0.5',
      SFTP_LOGIN_FAILURES_PER_USER: '3',
      LOGIN_FAILURES_PER_USER: '3',
    }),
  );
  const doors = await openDoors();
  for (const [, { act }] of rows) await act(doors);
  const read = () => readRecords(platform, doors.token);
  const isComplete = (found: readonly ExportedRecord[]) =>
    rows.every(([, row]) => recordsOf(row, found).length >= (row.times ?? 1));
  records = await waitFor(
    async () => {
      const found = await read();
      return isComplete(found) ? found : undefined;
    },
    // Each row then tells what it lacks.
    { what: 'the records of all operations', timeoutMs: 60_000 },
  ).catch(read);
});
afterAll(() => resources.disposeAsync());

async function openDoors(): Promise<Doors> {
  const connection = resources.use(await connectSftp({ port: platform.sftpPort, user: 'acme', password: 'acme-demo' }));
  return {
    platform,
    sftp: connection.sftp,
    partner: await logIn('acme'),
    other: await logIn('acme'),
    limited: await logIn('globex'),
    manager: platform.http(),
    token: await platform.adminToken(),
    viewerToken: await tokenOf('viewer', 'viewer-demo'),
    waybill: createRunCommand(platform.folder),
  };
}

async function logIn(user: string): Promise<ReturnType<PlatformProcess['http']>> {
  const client = platform.http();
  const login = await client.post('/2.0/login/basic', { form: { username: user, password: `${user}-demo` } });
  if (login.status !== 200) throw new Error(`login answered ${login.status}: ${login.text}`);
  return client;
}

async function tokenOf(username: string, password: string): Promise<string> {
  const json = { username, password };
  const login = await platform.http().post('/platform-application/api/v1/auth/login', { json });
  return z.object({ accessToken: z.string() }).parse(login.json()).accessToken;
}

/** What the context of a record says of the client. The edge does not report the port. */
const clients: Readonly<Record<DoorName, Readonly<Record<string, unknown>>>> = {
  sftp: { address: '127.0.0.1', port: expect.any(Number), client: expect.stringMatching(/^SSH-2\.0-ssh2js/u) },
  http: { address: '127.0.0.1', client: 'node' },
  management: { address: '127.0.0.1', client: 'node' },
  'command line': {},
  platform: {},
};

/** What it says of an operation on files besides. */
function filesOf({ door, expected: { dataoneUser, entityName, outcome } }: Row): Readonly<Record<string, unknown>> {
  if (!(door === 'sftp' || door === 'http') || entityName?.startsWith('/') !== true) return {};
  const session = { session: expect.stringMatching(door === 'sftp' ? /^[0-9A-F]{32}$/u : /./u) };
  return outcome === 'path_invalid' ? session : { ...session, virtualFileSystem: `${dataoneUser}-files` };
}

it.each(rows)('%s', (_, row) => {
  const found = recordsOf(row, records);
  if (found.length === 0) throw new Error('nothing was recorded');
  expect(found).toHaveLength(row.times ?? 1);
  for (const { context } of found)
    expect(context).toMatchObject({ ...clients[row.door], ...filesOf(row), ...row.expected.context });
});

it('each code is produced by a row of the table, or by the test that is named', async () => {
  const codes = Object.values(auditCatalogue).map(({ code }) => code);
  const produced = new Set(rows.map(([, { expected }]) => expected.auditCode));
  const without = codes.filter((code) => !produced.has(code));
  expect(Object.keys(codesElsewhere).toSorted()).toEqual(without.toSorted());
  expect([...produced].filter((code) => !codes.some((known) => known === code))).toEqual([]);
  for (const [code, { test, reason }] of Object.entries(codesElsewhere)) {
    const text = await readFile(fileURLToPath(new URL(`../../${test}`, import.meta.url)), 'utf8');
    expect([test, text.includes(code)]).toEqual([test, true]);
    expect(reason).not.toBe('');
  }
});

it('what was erased is in no record', () => {
  expect(records.length).toBeGreaterThan(rows.length);
  expect(records.filter((record) => JSON.stringify(record).includes('/inbox/forgotten'))).toEqual([]);
});

it('the configuration that was applied at the start is recorded, each entity once, with its settings', () => {
  const created = records.filter(
    ({ auditCode, producer }) => auditCode === 'AUD0001A' && (producer?.id ?? '').startsWith('cli/'),
  );
  const configured = created.filter(({ context }) => context['difference'] !== undefined);
  const kinds = new Set(configured.map(({ entityType }) => entityType));
  for (const kind of ['Cluster', 'Internal User', 'Actor', 'External User', 'VFS', 'Contract'])
    expect(kinds).toContain(kind);
  expect(new Set(configured.map(({ entityType, entityName }) => `${entityType} ${entityName}`)).size).toBe(
    configured.length,
  );
  for (const { context, entityName } of configured) {
    expect(JSON.parse(String(context['difference']))).toMatchObject({ after: { name: entityName } });
    expect(context['difference']).not.toMatch(
      /"(?:admin|viewer|acme|globex|initech)-demo"|password-of|\$(?:scrypt|argon2)/u,
    );
  }
});

it('the records of each process have their numbers without gaps, and those of a session are in order', () => {
  const runs = Map.groupBy(records, ({ producer }) => producer?.id);
  // The audit log numbers no records about itself, such as holds.
  runs.delete(undefined);
  expect(runs.size).toBeGreaterThanOrEqual(4);
  for (const run of runs.values()) {
    const numbers = run.map(({ producer }) => producer?.number ?? 0);
    expect(new Set(numbers).size).toBe(numbers.length);
    // Transactions of different sessions may be committed in another order than they got their numbers, and a download
    // over HTTP is recorded when its client, who has every byte, may already do the next thing.
    const inOrder = run.filter(({ auditCode }) => auditCode !== auditCatalogue.fileDownloaded.code);
    for (const session of Map.groupBy(inOrder, ({ context }) => context['session'] ?? '').values()) {
      if (session[0]?.context['session'] === undefined) continue;
      const ofSession = session.map(({ producer }) => producer?.number ?? 0);
      expect(ofSession).toEqual(ofSession.toSorted((one, other) => one - other));
    }
    const voided = run.flatMap(({ producer }) => producer?.voided ?? []);
    const settled = Math.max(...run.map(({ producer }) => producer?.settled ?? 0));
    const known = new Set([...numbers, ...voided]);
    expect(Array.from({ length: settled }, (_, index) => index + 1).filter((number) => !known.has(number))).toEqual([]);
  }
});
