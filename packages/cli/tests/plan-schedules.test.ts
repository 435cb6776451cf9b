import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

const platform = `manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: secret, roles: [Administrators] }]
queues:
  - { name: Night shift, status: Scheduled, slots: [{ from: '22:00', to: '06:00', timeZone: Europe/Berlin }] }
workflowTemplates:
  - name: note
    steps: [{ name: note, uses: write-file, with: { path: '/out/\${{ variables.name }}', text: note } }]
  - name: copy
    steps: [{ name: copy, uses: gzip, with: { source: '\${{ file.path }}', target: /out/copy.gz } }]
actors:
  - name: acme
    type: Partner
    virtualFileSystems: [{ name: acme-files, folders: [/out] }]
    contracts:
      - name: reports
        type: Output
        queue: Night shift
        actions:
          - name: daily
            workflow: note
            vfs: acme-files
            variables: { name: daily.txt }
            trigger:
              type: Time
              cron: 0 6 * * MON-FRI
              timeZone: Europe/Berlin
`;

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), createTestFolder()]);
  await waybill(['migrate']);
});

afterAll(async () => {
  await database.drop();
  await folder.remove();
});

async function waybill(args: readonly string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const env = { DATABASE_URL: database.url };
  const code = await runCommandLine(args, { env, out: say, err: say });
  return { code, said: lines.join('\n') };
}

async function run(command: 'plan' | 'apply', text: string) {
  const file = path.join(folder.path, 'platform.yaml');
  await writeFile(file, text);
  return waybill([command, file]);
}

it.each([
  ['0 6 * * MON-FRI', '0 6 30 2 *', 'cron: never fires'],
  ['0 6 * * MON-FRI', '0 6 * *', 'cron: must have five fields'],
  [
    'cron: 0 6 * * MON-FRI\n              timeZone: Europe/Berlin',
    'cron: 0 6 * * *\n              timeZone: Europe/Berln',
    'timeZone: must be a time zone of the tz database, such as Europe/Berlin; did you mean',
  ],
  ["from: '22:00'", "from: '25:00'", 'slots[0].from: must be a time'],
])('plan and apply refuse %j as %j, and name the field', async (before, after, expected) => {
  const wrong = platform.replace(before, after);
  for (const command of ['plan', 'apply'] as const) {
    const { code, said } = await run(command, wrong);
    expect(code).not.toBe(0);
    expect(said).toContain(expected);
  }
});

it('plan shows what changes about the times of an action and a queue', async () => {
  expect(await run('apply', platform)).toMatchObject({ code: 0 });
  expect((await run('plan', platform)).said).toContain('Nothing to change');
  const { said } = await run('plan', platform.replace('0 6 *', '30 7 *').replace("to: '06:00'", "to: '05:00'"));
  expect(said).toContain('0 6 * * MON-FRI -> 30 7 * * MON-FRI');
  expect(said).toContain('06:00 -> 05:00');
});

it('plan warns of a workflow that needs a file, and of a variable that no submission can bring', async () => {
  const { said } = await run('plan', platform.replace('workflow: note', 'workflow: copy'));
  expect(said).toContain('the workflow copy uses a file, and a time starts the action without one');
  const missing = await run('plan', platform.replace('variables: { name: daily.txt }', 'variables: {}'));
  expect(missing.said).toContain('the workflow note uses the variable name, which is missing');
});
