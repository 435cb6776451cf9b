import { expect, it } from 'vitest';
import { oneCommandLine } from './one-command-line.ts';

const platform = `manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: secret, roles: [Administrators] }]
workflowTemplates:
  - name: note
    steps: [{ name: note, uses: write-file, with: { path: '/out/\${{ variables.expectation }}', text: '\${{ variables.dueAt }}' } }]
  - name: copy
    steps: [{ name: copy, uses: gzip, with: { source: '\${{ file.path }}', target: /out/copy.gz } }]
actors:
  - name: acme
    type: Partner
    virtualFileSystems: [{ name: acme-files, folders: [/in, /out] }, { name: acme-archive, folders: [/in] }]
    contracts:
      - name: orders
        type: Input
        expectations:
          - name: daily
            vfs: acme-files
            virtualPath: /in
            filePattern: '*.csv'
            cron: 0 9 * * MON-FRI
            timeZone: Europe/Berlin
            graceMinutes: 15
            count: { min: 2, max: 5 }
        actions:
          - name: alert
            trigger: { type: Expectation, expectation: daily, on: [missed, late] }
            workflow: note
  - name: globex
    type: Partner
    virtualFileSystems: [{ name: globex-files, folders: [/in] }]
`;

const { run } = oneCommandLine();
const expectation = 'actors[0].contracts[0].expectations[0]';
const action = 'actors[0].contracts[0].actions[0]';
const unnamed = 'the contract has no expectation dayly; did you mean daily?';

it.each([
  ['0 9 * * MON-FRI', '0 9 30 2 *', `platform.yaml:21:13: ${expectation}.cron: never fires`],
  ['0 9 * * MON-FRI', '61 9 * * *', `platform.yaml:21:13: ${expectation}.cron: `],
  ['Europe/Berlin', 'Europe/Berln', `platform.yaml:22:13: ${expectation}.timeZone: must be a time zone`],
  ['graceMinutes: 15', 'graceMinutes: -1', `platform.yaml:23:13: ${expectation}.graceMinutes: `],
  ['graceMinutes: 15', 'graceMinute: 15', `${expectation}.graceMinute: `],
  ['min: 2, max: 5', 'min: 5, max: 2', `platform.yaml:24:30: ${expectation}.count.max: must not be less than min`],
  ['min: 2, max: 5', 'min: 0', `platform.yaml:24:22: ${expectation}.count.min: `],
  ['count: { min: 2', 'windowMinutes: 0\n            count: { min: 2', `${expectation}.windowMinutes: `],
  ["'*.csv'", "'in/*.csv'", `platform.yaml:20:13: ${expectation}.filePattern: must not contain a slash`],
  ['vfs: acme-files\n', 'vfs: globex-files\n', `${expectation}.vfs: actor acme has no VFS globex-files`],
  ['expectation: daily', 'expectation: dayly', `${action}.trigger.expectation: ${unnamed}`],
  ['[missed, late]', '[missed, missed]', `${action}.trigger.on: names an outcome twice`],
  ['[missed, late]', '[missing]', `${action}.trigger.on[0]: `],
  ['[missed, late]', '[]', `${action}.trigger.on: `],
  [
    'workflow: note\n  -',
    'workflow: note\n            vfs: acme-archive\n  -',
    `${action}.vfs: the action works in the VFS of its expectation, acme-files`,
  ],
  [
    'workflow: note\n  -',
    'workflow: note\n            grants: [{ vfs: acme-files, rights: [list] }]\n  -',
    `${action}.grants[0].vfs: the action works in the VFS acme-files, where it needs no grant`,
  ],
  [
    '        actions:',
    '          - { name: daily, vfs: acme-files, virtualPath: /in, cron: 0 9 * * * }\n        actions:',
    'expectations[1].name: ',
  ],
])('plan and apply refuse %j as %j, and name the place', async (before, after, expected) => {
  expect(platform).toContain(before);
  const wrong = platform.replace(before, after);
  for (const command of ['plan', 'apply'] as const) {
    const { code, err } = await run(command, wrong);
    expect(code).toBe(1);
    expect(err).toContain(expected);
  }
});

it('a missed due time has no file; late, unexpected and met files are files', async () => {
  const copies = platform.replace('workflow: note\n  -', 'workflow: copy\n  -');
  const { code, err } = await run('plan', copies);
  expect(code).toBe(1);
  expect(err).toContain(
    'platform.yaml:8:60: workflowTemplates[1].steps[0].with.source: there is no file: the action orders/alert is also started by missed, without a file',
  );
  expect(await run('plan', copies.replace('[missed, late]', '[late, unexpected, met]'))).toMatchObject({ code: 0 });
});

it('plan shows what changes about an expectation, and warns of a folder that does not exist', async () => {
  expect(await run('apply', platform)).toMatchObject({ code: 0, err: '' });
  expect((await run('plan', platform)).out).toContain('Nothing to change');
  const { out, err } = await run(
    'plan',
    platform.replace('0 9 *', '30 9 *').replace('virtualPath: /in', 'virtualPath: /inn'),
  );
  expect(out).toContain('0 9 * * MON-FRI -> 30 9 * * MON-FRI');
  expect(out + err).toContain(
    `platform.yaml:19:13: ${expectation}.virtualPath: the VFS acme-files has no folder /inn, so its files are always missing`,
  );
});
