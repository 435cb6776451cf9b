import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

const platform = `manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: x, roles: [Administrators] }]
workflowTemplates:
  - name: compress
    steps:
      - name: compress
        uses: gzip
        with: { source: '\${{ file.path }}', target: '/out/\${{ variables.prefix }}\${{ file.name }}.gz' }
      - { name: check, uses: write-file, if: '\${{ steps.compress.outputs.size > 3 }}', with: { path: /big.txt, text: big } }
    onError:
      - { name: report, uses: write-file, with: { path: /failed.txt, text: '\${{ error.message }} \${{ variables.token }}' } }
  - name: tell
    steps:
      - name: note
        uses: write-file
        with: { path: '/out/\${{ variables.expectation }}', text: '\${{ variables.expectationOutcome }} \${{ variables.dueAt }} \${{ variables.fileCount }}' }
actors:
  - name: acme
    type: Partner
    virtualFileSystems: [{ name: acme-files }]
    contracts:
      - name: invoices
        type: Mediation
        actions:
          - name: compress
            workflow: compress
            variables: { prefix: a-, token: '\${TOKEN}' }
            trigger: { type: NewFile, vfs: acme-files, virtualPath: /in }
      - name: due
        type: Input
        expectations: [{ name: daily, vfs: acme-files, virtualPath: /in, cron: 0 9 * * * }]
        actions:
          - { name: missed, workflow: tell, trigger: { type: Expectation, expectation: daily, on: [missed] } }
          - { name: either, workflow: tell, trigger: { type: Expectation, expectation: daily, on: [missed, late] } }
          - { name: late, workflow: tell, trigger: { type: Expectation, expectation: daily, on: [late] } }
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-workflow-'));
  await writeFile(path.join(folder, 'platform.yaml'), platform);
});

afterAll(() => rm(folder, { recursive: true }));

async function run(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommandLine(['workflow', 'run', path.join(folder, 'platform.yaml'), ...args], {
    env: { TOKEN: 'hidden-value' },
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out, err: err.join('\n') };
}

it('shows the steps of a workflow without a database, and no values of the environment', async () => {
  const steps = JSON.stringify({ compress: { error: 'the storage is full' } });
  const { code, out } = await run('invoices/compress', '--dry-run', '--path', '/in/b.csv', '--steps', steps);
  expect([code, ...out]).toEqual([
    1,
    '! compress (gzip) fails: the storage is full',
    '    source: "/in/b.csv"',
    '    target: "/out/a-b.csv.gz"',
    '  check (write-file) does not run',
    '+ onError: report (write-file) runs',
    '    path: "/failed.txt"',
    '    text: "the storage is full ******"',
    '    mediaType: "text/plain; charset=utf-8"',
    '    -> path: "/failed.txt"',
    '    -> fileset: "<fileset of report>"',
    '    -> size: "0"',
    '    -> sha256: "<sha256 of report>"',
    'ERROR: the storage is full',
  ]);
});

it('has the exit code of a job: 0 for COMPLETED', async () => {
  const { code, out } = await run('invoices/compress', '--dry-run', '--path', '/in/b.csv');
  expect([code, out]).toEqual([0, expect.arrayContaining(['COMPLETED'])]);
});

it('says what only a real run decides', async () => {
  const { out } = await run('invoices/compress', '--dry-run', '--path', '/in/b.csv');
  expect(out).toContain('- check (write-file) is skipped');
  expect(out).toContain('    ? depends on what is known only in a real run: outputs of compress');
});

it.each([
  [['invoices/compress', '--path', '/in/b'], 'give --dry-run'],
  [['invoices/compress', '--dry-run'], 'give --path: files start the action'],
  [['invoices/compres', '--dry-run'], 'there is no action invoices/compres; did you mean invoices/compress?'],
  [['invoices/compress', '--dry-run', '--path', 'relative'], 'path: must be an absolute path'],
  [['invoices/compress', '--dry-run', '--path', '/a', '--size=-1'], 'size: must be at least 0'],
  [['invoices/compress', '--dry-run', '--path', '/a', '--variables', '{'], '--variables is not JSON'],
  [['invoices/compress', '--dry-run', '--path', '/a', '--steps', '{"a": 1}'], 'steps.a: must be'],
])('refuses %j', async (args, message) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

it('imagines what an expectation raises, with a file or without', async () => {
  const now = ['--now', '2026-03-02T09:00:00Z'];
  const path = ['--path', '/in/a.csv'];
  const { out } = await run('due/either', '--dry-run', ...now);
  expect(out).toEqual(
    expect.arrayContaining(['    path: "/out/daily"', '    text: "missed 2026-03-02T09:00:00Z 0"', 'COMPLETED']),
  );
  for (const action of ['due/either', 'due/late']) {
    expect((await run(action, '--dry-run', ...now, ...path)).out).toContain('    text: "late 2026-03-02T09:00:00Z 1"');
  }
  expect((await run('due/late', '--dry-run')).err).toContain('give --path: files start the action due/late');
  expect((await run('due/missed', '--dry-run', ...path)).err).toContain(
    'leave out --path: the action due/missed is started by missed, without a file',
  );
});
