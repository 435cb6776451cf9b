import { describe, expect, it } from 'vitest';
import { oneCommandLine } from './one-command-line.ts';

const keys = {
  one: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIF8Fc8EHPbMmJrRSLCC9hLTCKwGLb7CDm9mcnYBb8Xgx',
  other: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAmVjAPIYpaYKrHeFSXeSm+jJlnrBLMHVt1nnA9RKbFn',
} as const;

const platform = `manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: '\${SECRET:-hidden-value}', roles: [Administrators] }]
workflowTemplates:
  - name: note
    steps: [{ name: note, uses: write-file, with: { path: /out/a.txt, text: '\${{ variables.target }} \${{ variables.password }}' } }]
actors:
  - name: acme
    type: Partner
    users:
      - name: acme
        publicKeys:
          - { key: '${keys.one}', expires: 2020-01-31 }
    virtualFileSystems: [{ name: acme-files, folders: [/inbox/new, /made] }]
    contracts:
      - name: invoices
        type: Input
        actions:
          - name: note
            workflow: note
            variables: { target: /out, password: hidden-value }
            trigger:
              type: NewFile
              vfs: acme-files
              virtualPath: /inbox
              filePattern: '*.csv'
`;

const site = oneCommandLine();

async function run(command: 'plan' | 'apply', text: string, variables: Record<string, string> = {}) {
  const result = await site.run(command, text, variables);
  expect(`${result.out}${result.err}`).not.toContain('hidden-value');
  return result;
}

describe('a wrong name in a configuration is reported with its line and the nearest known name', () => {
  it.each([
    [
      'publicKeys:',
      'publicKey:',
      'platform.yaml:12:9: actors[0].users[0].publicKey: unknown key publicKey; did you mean publicKeys?',
    ],
    [
      'vfs: acme-files',
      'vfs: acme-flies',
      'platform.yaml:24:15: actors[0].contracts[0].actions[0].trigger.vfs: actor acme has no VFS acme-flies; did you mean acme-files?',
    ],
    [
      'workflow: note',
      'workflow: noet',
      'platform.yaml:20:13: actors[0].contracts[0].actions[0].workflow: there is no workflow template noet; did you mean note?',
    ],
    ['type: NewFile', 'type: NewFiel', 'platform.yaml:23:15: actors[0].contracts[0].actions[0].trigger.type: must be'],
    [
      'type: Input',
      'queue: Slow\n        type: Input',
      'platform.yaml:17:9: actors[0].contracts[0].queue: there is no queue Slow',
    ],
    [
      '    type: Partner\n',
      '',
      'platform.yaml:8:5: actors[0].type: there is no actor acme: give a type, Partner or Application, to create it',
    ],
    ['${SECRET:-', '${SECRET-', 'platform.yaml:3:31: managerUsers[0].password: '],
    [
      'manager: { name: manager1 }',
      'manger: { name: manager1 }',
      'platform.yaml:1:1: manger: unknown key manger; did you mean manager?',
    ],
  ])('%s -> %s', async (right, wrong, expected) => {
    expect(platform).toContain(right);
    const { code, out, err } = await run('plan', platform.replace(right, wrong));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`  ${expected}`);
  });
});

describe('plan warns', () => {
  const warnings = async (text: string) =>
    (await run('plan', text)).out.split('\n').filter((line) => line.startsWith('! '));
  const expired = '! platform.yaml:13:104: actors[0].users[0].publicKeys[0].expires: the key ended with 2020-01-31';
  const trigger = 'actors[0].contracts[0].actions[0].trigger';

  it('of a key that has expired', async () => {
    expect(await warnings(platform)).toEqual([expired]);
    expect(await warnings(platform.replace('2020-01-31', '2999-01-31'))).toEqual([]);
  });

  it('of a group that has ended, whose clauses and rules give nothing', async () => {
    const groups = '    groups: [{ name: clerks, expires: 2020-01-31 }]\n';
    const added = platform.replace('    virtualFileSystems', `${groups}    virtualFileSystems`);
    expect((await warnings(added)).map((line) => line.replace(/:\d+:\d+:/u, ':'))).toContain(
      '! platform.yaml: actors[0].groups[0].expires: the group ended with 2020-01-31',
    );
  });

  it.each([
    [`'${'é'.repeat(128)}*'`, 'no file matches: a name has at most 255 bytes, and the pattern requires 256'],
    ["'..'", 'no file matches: no file has this name'],
    [
      "'invoice-?.csv'",
      'only names that contain ? match: * is the only wildcard, and every other character is literal',
    ],
    ["'*.{csv,txt}'", 'only names that contain { match: '],
  ])('of the pattern %s', async (pattern, message) => {
    const lines = await warnings(platform.replace("'*.csv'", pattern));
    expect(lines).toEqual([
      expired,
      expect.stringContaining(`! platform.yaml:26:15: ${trigger}.filePattern: ${message}`),
    ]);
  });

  it('of a folder of a trigger that does not exist, but not of one that a user created', async () => {
    const elsewhere = platform.replace('virtualPath: /inbox', 'virtualPath: /inbox/nwe');
    const missing = `! platform.yaml:25:15: ${trigger}.virtualPath: the VFS acme-files has no folder /inbox/nwe, so nothing starts the action; did you mean /inbox/new?`;
    expect(await warnings(elsewhere)).toEqual([expired, missing]);
    expect((await run('apply', elsewhere)).out.split('\n')).toEqual(expect.arrayContaining([expired, missing]));
    expect(
      await warnings(platform.replace('virtualPath: /inbox', 'virtualPath: /made').replace(', /made]', ']')),
    ).toEqual([expired]);
  });

  it('of nothing that is disabled, and it changes nothing', async () => {
    const before = await site.database.query('select count(*) from filebox.entries');
    const disabled = platform
      .replace('virtualPath: /inbox', 'virtualPath: /none')
      .replace('type: Input', 'type: Input\n        enabled: false');
    expect(await warnings(disabled)).toEqual([expired]);
    expect(await site.database.query('select count(*) from filebox.entries')).toEqual(before);
  });
});

describe('plan warns of actions', () => {
  const current = platform.replace('2020-01-31', '2999-01-31');
  const warnings = async (text: string, env: Record<string, string> = {}) =>
    (await run('plan', text, env)).out.split('\n').filter((line) => line.startsWith('! '));
  const action = 'actors[0].contracts[0].actions[0]';
  const loop = (what: string) =>
    `! platform.yaml:19:13: ${action}: the action writes files that match /inbox/*.csv, ${what}: write into another folder, or under a name that filePattern does not match`;

  it('with a variable that the workflow does not use', async () => {
    expect(await warnings(current.replace('target: /out', 'target: /out, tagret: /out'))).toEqual([
      `! platform.yaml:21:40: ${action}.variables.tagret: the workflow note does not use this variable; did you mean target?`,
    ]);
  });

  it.each([
    '/inbox/a.csv',
    '${{ file.folder }}/done-${{ file.name }}',
    '${{ file.path }}',
    '${{ file.folder }}/${{ file.stem }}-${{ job.id }}${{ file.extension }}',
    '/inbox//${{ dfic.dfiid }}.csv',
    '/inbox/${{ file.size + 1 }}.csv',
    '/inbox/${{ variables.password }}.csv',
  ])('that write what starts them: %s', async (target) => {
    expect(await warnings(current.replace('path: /out/a.txt', `path: '${target}'`))).toEqual([
      loop('which start the action itself'),
    ]);
  });

  it.each(['${{ file.path }}.gz', '/inbox/sub/${{ file.name }}', '/out/${{ file.name }}', '/inbox'])(
    'but not of one that writes %s',
    async (target) => {
      expect(await warnings(current.replace('path: /out/a.txt', `path: '${target}'`))).toEqual([]);
    },
  );

  it('that write below a folder whose subfolders they watch', async () => {
    const text = current
      .replace('virtualPath: /inbox', 'virtualPath: /inbox/**')
      .replace('path: /out/a.txt', "path: '/inbox/${{ job.id }}/${{ dfic.dfiid }}${{ job.id }}/${{ file.name }}'");
    const [own, ...more] = (await warnings(text)).filter((line) => line.includes('start the action itself'));
    expect(more).toEqual([]);
    expect(own).toContain('files that match /inbox/**/*.csv, which start the action itself');
    expect((await warnings(text.replace("path: '/inbox/", "path: '/out/"))).join()).not.toContain('start the action');
  });

  it('that start one another', async () => {
    const other = (folder: string) => `          - name: back
            workflow: back
            trigger: { type: NewFile, vfs: acme-files, virtualPath: ${folder} }
`;
    const template =
      "  - name: back\n    steps: [{ name: back, uses: gzip, with: { source: '${{ file.path }}', target: /inbox/b.csv } }]\n";
    const text = current.replace('actors:\n', `${template}actors:\n`).replace('path: /out/a.txt', 'path: /made/a.txt');
    const [forth, back, ...more] = await warnings(text + other('/made'));
    expect(more).toEqual([]);
    expect(forth).toContain('files that match /made/*, which start it again through invoices/back: write');
    expect(back).toContain('files that match /inbox/*.csv, which start it again through invoices/note: write');
    expect(await warnings(text + other('/inbox/new'))).toEqual([]);
  });

  it('not, but of a variable of the environment that is named like a missing one', async () => {
    const place = 'platform.yaml:3:31: managerUsers[0].password';
    expect(await warnings(current, { SECERT: 'x', HOME: '/root', SECRET_KEY: '' })).toEqual([]);
    const named = current.replaceAll('${SECRET:-', '${ADMIN_SECRET:-');
    expect(await warnings(named, { ADMIN_SECERT: 'hidden-value' })).toEqual([
      `! ${place}: ADMIN_SECERT is set but not used, and ADMIN_SECRET has its default; did you mean ADMIN_SECRET?`,
    ]);
    expect(await warnings(named, { AMDIN_SECRET_FILE: '/nowhere' })).toEqual([
      `! ${place}: AMDIN_SECRET_FILE is set but not used, and ADMIN_SECRET has its default; did you mean ADMIN_SECRET_FILE?`,
    ]);
    expect(await warnings(named, { ADMIN_SECERT: 'x', ADMIN_SECRET: 'hidden-value' })).toEqual([]);
  });
});

it('plan compares keys by what they are, and shows ordinary values', async () => {
  await run('apply', platform);
  const changed = platform
    .replace('publicKeys:\n', `publicKeys:\n          - '${keys.other} laptop'\n`)
    .replace('target: /out', 'target: /done')
    .replace('path: /out/a.txt', 'path: /done/a.txt');
  const { out } = await run('plan', changed);
  expect(out).toMatch(/^ {4}publicKeys\[SHA256:\S+\]: nothing -> \{ key: ssh-ed25519 \S+, comment: la/mu);
  expect(out.match(/publicKeys\[/gu)?.length).toBe(2);
  expect(out).toContain('    actions[note].variables.target: /out -> /done\n');
  expect(out).toContain('    steps[note].with.path: /out/a.txt -> /done/a.txt\n');
});
