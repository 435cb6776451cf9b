import { waitFor } from '@waybill/test-kit/wait-for';
import type { SFTPWrapper } from 'ssh2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectSftp, makeFolder, storeFile, type SftpConnection } from './two-doors/sftp-door.ts';

const recordSchema = z.object({
  auditCode: z.string(),
  dataoneUser: z.string(),
  entityName: z.string(),
  context: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  producer: z
    .object({ id: z.string(), number: z.int(), settled: z.int(), voided: z.array(z.int()).optional() })
    .optional(),
});
type ExportedRecord = z.infer<typeof recordSchema>;

interface Doors {
  readonly sftp: SFTPWrapper;
  readonly partner: ReturnType<PlatformProcess['http']>;
  readonly manager: ReturnType<PlatformProcess['http']>;
  readonly token: string;
}

interface Row {
  /** May be refused: that is the outcome. */
  act(doors: Doors): Promise<unknown>;
  readonly expected: { readonly auditCode: string; readonly entityName?: string; readonly outcome?: string };
}

const flags = { read: 0x01, write: 0x02, create: 0x08 };

const settle = (ask: (done: (error?: Error | null) => void) => void): Promise<unknown> =>
  new Promise((resolve) => {
    ask((error) => resolve(error ?? undefined));
  });

const overSftp: Readonly<Record<string, Row>> = {
  'a folder is created': {
    act: ({ sftp }) => makeFolder(sftp, '/inbox/s'),
    expected: { auditCode: 'AUD0051A', entityName: '/inbox/s' },
  },
  'an existing folder is not created': {
    act: ({ sftp }) => settle((done) => sftp.mkdir('/inbox/s', done)),
    expected: { auditCode: 'AUD0061A', entityName: '/inbox/s', outcome: 'already_exists' },
  },
  'a file is uploaded': {
    act: ({ sftp }) => storeFile(sftp, '/inbox/s/a'),
    expected: { auditCode: 'AUD0041A', entityName: '/inbox/s/a' },
  },
  'a file is not uploaded to a missing folder': {
    act: ({ sftp }) => settle((done) => sftp.open('/inbox/none/a', flags.write | flags.create, done)),
    expected: { auditCode: 'AUD0048A', entityName: '/inbox/none/a', outcome: 'path_not_found' },
  },
  'a file with a bad name is not uploaded': {
    act: ({ sftp }) => settle((done) => sftp.open('/inbox/a\0b', flags.write | flags.create, done)),
    expected: { auditCode: 'AUD0048A', entityName: '/inbox/a?b', outcome: 'path_invalid' },
  },
  'a missing file is not downloaded': {
    act: ({ sftp }) => settle((done) => sftp.open('/inbox/s/none', flags.read, done)),
    expected: { auditCode: 'AUD0064A', entityName: '/inbox/s/none', outcome: 'file_not_found' },
  },
  'a folder is listed': {
    act: ({ sftp }) => settle((done) => sftp.opendir('/inbox/s', done)),
    expected: { auditCode: 'AUD0050A', entityName: '/inbox/s' },
  },
  'a missing folder is not listed': {
    act: ({ sftp }) => settle((done) => sftp.opendir('/inbox/none', done)),
    expected: { auditCode: 'AUD0060A', entityName: '/inbox/none', outcome: 'file_not_found' },
  },
  'a file is renamed': {
    act: ({ sftp }) => settle((done) => sftp.rename('/inbox/s/a', '/inbox/s/b', done)),
    expected: { auditCode: 'AUD0040A', entityName: '/inbox/s/a' },
  },
  'a missing file is not renamed': {
    act: ({ sftp }) => settle((done) => sftp.rename('/inbox/s/a', '/inbox/s/c', done)),
    expected: { auditCode: 'AUD0063A', entityName: '/inbox/s/a', outcome: 'file_not_found' },
  },
  'a folder with files is not deleted': {
    act: ({ sftp }) => settle((done) => sftp.rmdir('/inbox/s', done)),
    expected: { auditCode: 'AUD0062A', entityName: '/inbox/s', outcome: 'folder_not_empty' },
  },
  'a file is deleted': {
    act: ({ sftp }) => settle((done) => sftp.unlink('/inbox/s/b', done)),
    expected: { auditCode: 'AUD0043A', entityName: '/inbox/s/b' },
  },
  'a missing file is not deleted': {
    act: ({ sftp }) => settle((done) => sftp.unlink('/inbox/s/b', done)),
    expected: { auditCode: 'AUD0065A', entityName: '/inbox/s/b', outcome: 'file_not_found' },
  },
  'an empty folder is deleted': {
    act: ({ sftp }) => settle((done) => sftp.rmdir('/inbox/s', done)),
    expected: { auditCode: 'AUD0053A', entityName: '/inbox/s' },
  },
};

const overHttp: Readonly<Record<string, Row>> = {
  'a missing file is not downloaded': {
    act: ({ partner }) => partner.get('/2.0/files/inbox/none'),
    expected: { auditCode: 'AUD0064A', entityName: '/inbox/none', outcome: 'file_not_found' },
  },
  'a missing folder is not listed': {
    act: ({ partner }) => partner.get('/2.0/directories/inbox/nowhere'),
    expected: { auditCode: 'AUD0060A', entityName: '/inbox/nowhere', outcome: 'path_not_found' },
  },
  'a missing file is not moved': {
    act: ({ partner }) => partner.post('/2.0/move', { json: { from: 'inbox/none', to: 'inbox/x' } }),
    expected: { auditCode: 'AUD0063A', entityName: '/inbox/none', outcome: 'file_not_found' },
  },
};

const overManagement: Readonly<Record<string, Row>> = {
  'an administrator logs in with a wrong password': {
    act: ({ manager }) =>
      manager.post('/platform-application/api/v1/auth/login', { json: { username: 'admin', password: 'wrong' } }),
    expected: { auditCode: 'AUD0008A', outcome: 'invalid_credentials' },
  },
  'the audit log is read without a token': {
    act: ({ manager }) => manager.get('/platform-application/api/v1/audit/logs', { query: { page: 0 } }),
    expected: { auditCode: 'AUD0014A', entityName: 'listAuditRecords', outcome: 'not_authenticated' },
  },
  'the sessions are listed without a token': {
    act: ({ manager }) => manager.get('/job-manager/jobs'),
    expected: { auditCode: 'AUD0014A', entityName: 'listJobs', outcome: 'not_authenticated' },
  },
  'a queue that does not exist is paused': {
    act: ({ manager, token }) =>
      manager.post('/job-manager/queues/none/pause', { bearer: token, query: { reason: 'test' } }),
    expected: { auditCode: 'AUD0015A', entityName: 'pauseQueue', outcome: 'queue_unknown' },
  },
};

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let connection: SftpConnection;
let records: readonly ExportedRecord[];

beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
  connection = resources.use(await connectSftp({ port: platform.sftpPort, user: 'acme', password: 'acme-demo' }));
  const doors = {
    sftp: connection.sftp,
    partner: platform.http(),
    manager: platform.http(),
    token: await platform.adminToken(),
  };
  const login = await doors.partner.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
  if (login.status !== 200) throw new Error(`login answered ${login.status}: ${login.text}`);
  for (const table of [overSftp, overHttp, overManagement]) {
    for (const { act } of Object.values(table)) await act(doors);
  }
  records = await waitFor(
    async () => {
      const exported = await readExport();
      return exported.some(({ auditCode }) => auditCode === 'AUD0015A') ? exported : undefined;
    },
    { what: 'the last record' },
  );
});
afterAll(() => resources.disposeAsync());

async function readExport(): Promise<ExportedRecord[]> {
  const bearer = await platform.adminToken();
  const { text } = await platform.http().get('/platform-application/api/v1/audit/export', { bearer });
  const lines: unknown[] = text
    .split('\n')
    .filter((line) => line.startsWith('{"audit'))
    .map((line): unknown => JSON.parse(line));
  return z.array(recordSchema).parse(lines);
}

function recordOf({ expected: { auditCode, entityName, outcome } }: Row, protocol: RegExp): ExportedRecord {
  const matching = records.filter(
    ({ context, ...record }) =>
      record.auditCode === auditCode &&
      (entityName === undefined || record.entityName === entityName) &&
      context['outcome'] === outcome &&
      protocol.test(record.producer?.id ?? ''),
  );
  const [record, ...others] = matching;
  if (record === undefined) throw new Error('nothing was recorded');
  expect(others).toEqual([]);
  return record;
}

it.each(Object.entries(overSftp))('over SFTP: %s', (_, row) => {
  const { dataoneUser, context } = recordOf(row, /^sftp-gateway\//u);
  expect(dataoneUser).toBe('acme');
  expect(context).toMatchObject({
    address: '127.0.0.1',
    port: expect.any(Number),
    client: expect.stringMatching(/^SSH-2\.0-/u),
    session: expect.stringMatching(/^[0-9A-F]{32}$/u),
    ...(row.expected.outcome !== 'path_invalid' && { virtualFileSystem: expect.stringMatching(/./u) }),
  });
});

it.each(Object.entries(overHttp))('over HTTP: %s', (_, row) => {
  const { dataoneUser, context } = recordOf(row, /^http-files\//u);
  expect(dataoneUser).toBe('acme');
  expect(context).toMatchObject({
    address: '127.0.0.1',
    session: expect.any(String),
    virtualFileSystem: expect.stringMatching(/./u),
  });
});

it.each(Object.entries(overManagement))('at the management interface: %s', (_, row) => {
  expect(recordOf(row, /./u).context).toMatchObject({ address: '127.0.0.1' });
});

it('logins name the client and how it has authenticated', () => {
  const logins = records.filter(({ auditCode }) => auditCode === 'AUD0030A' || auditCode === 'AUD0007A');
  expect(logins.length).toBeGreaterThanOrEqual(3);
  for (const { context } of logins) expect(context).toMatchObject({ address: '127.0.0.1', authentication: 'password' });
});

it('the records of each process have their numbers, in order and without gaps', () => {
  const runs = Map.groupBy(records, ({ producer }) => producer?.id);
  expect(runs.has(undefined)).toBe(false);
  for (const run of runs.values()) {
    const numbers = run.map(({ producer }) => producer?.number ?? 0);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    const voided = run.flatMap(({ producer }) => producer?.voided ?? []);
    const settled = Math.max(...run.map(({ producer }) => producer?.settled ?? 0));
    const known = new Set([...numbers, ...voided]);
    expect(Array.from({ length: settled }, (_, index) => index + 1).filter((number) => !known.has(number))).toEqual([]);
  }
});
