import { expect, it } from 'vitest';
import { oneCommandLine } from './one-command-line.ts';

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

const { run } = oneCommandLine();

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
    const { code, err } = await run(command, wrong);
    expect(code).not.toBe(0);
    expect(err).toContain(expected);
  }
});

it('plan shows what changes about the times of an action and a queue', async () => {
  expect(await run('apply', platform)).toMatchObject({ code: 0 });
  expect((await run('plan', platform)).out).toContain('Nothing to change');
  const { out } = await run('plan', platform.replace('0 6 *', '30 7 *').replace("to: '06:00'", "to: '05:00'"));
  expect(out).toContain('0 6 * * MON-FRI -> 30 7 * * MON-FRI');
  expect(out).toContain('06:00 -> 05:00');
});

it('plan and apply refuse a workflow that needs a file, and one with a variable that no submission can bring', async () => {
  for (const command of ['plan', 'apply'] as const) {
    const { code, err } = await run(command, platform.replace('workflow: note', 'workflow: copy'));
    expect(code).toBe(1);
    expect(err).toContain(
      '  platform.yaml:10:60: workflowTemplates[1].steps[0].with.source: there is no file: the action reports/daily is started by Time, without a file',
    );
    const missing = await run(command, platform.replace('variables: { name: daily.txt }', 'variables: { nmae: x }'));
    expect(missing.err).toContain(
      '  platform.yaml:8:69: workflowTemplates[0].steps[0].with.path: there is no variables.name: the action reports/daily has no such variable; did you mean nmae?',
    );
  }
});
