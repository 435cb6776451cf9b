import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

let folder: TestFolder;

beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder?.remove());

async function validate(document: string) {
  const file = path.join(folder.path, 'team.yaml');
  await writeFile(file, document);
  const [out, err]: [string[], string[]] = [[], []];
  const parts = { env: {}, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await runCommandLine(['validate', file, '--partial'], parts);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const part = `source: team
roles: [{ name: Team, permissions: [configuration:read], actors: [elsewhere] }]
pgpKeys: []
workflowTemplates:
  - name: send
    steps:
      - { name: push, uses: sftp-push, with: { connection: theirs, source: '\${{ file.path }}', target: /in/ } }
      - { name: more, workflow: of-others }
  - name: approve
    steps: [{ name: ask, uses: wait-for-approval, with: { approvers: 'role:Managers', message: ok } }]
actors:
  - name: acme
    accountPolicy: strict
    users: [{ name: acme-user, password: a long password }]
    virtualFileSystems: [{ name: acme-files, storageClass: archive, acl: [{ path: /, grants: [{ group: clerks, permissions: [list] }] }] }]
    connectionContracts:
      - { name: c, cluster: edge, server: sftp, clauses: [{ user: of-others, vfs: of-others }] }
    contracts:
      - name: invoices
        type: Input
        queue: slow
        actions:
          - { name: go, workflow: send, trigger: { type: NewFile, vfs: acme-files, virtualPath: / } }
          - { name: also, workflow: of-others, trigger: { type: OnDemand } }
`;

it('only lists what can be on the platform already', async () => {
  const { code, out, err } = await validate(part);
  expect([code, err]).toEqual([0, '']);
  const needed = out.split('\n').filter((line) => line.startsWith('? '));
  expect(needed.map((line) => line.replace(/^\? (?:team\.yaml(?::\d+:\d+)?: )?/u, '').replace(/: .*/u, ''))).toEqual(
    expect.arrayContaining([
      'managerUsers',
      'roles[0].actors[0]',
      'workflowTemplates[0].steps[0].with.connection',
      'workflowTemplates[0].steps[1].workflow',
      'workflowTemplates[1].steps[0].with.approvers',
      'actors[0].type',
      'actors[0].accountPolicy',
      'actors[0].virtualFileSystems[0].storageClass',
      'actors[0].virtualFileSystems[0].acl[0].grants[0].group',
      'actors[0].connectionContracts[0].cluster',
      'actors[0].connectionContracts[0].clauses[0].user',
      'actors[0].connectionContracts[0].clauses[0].vfs',
      'actors[0].contracts[0].queue',
      'actors[0].contracts[0].actions[1].workflow',
    ]),
  );
  expect(out).toContain('What is listed above has to be on the platform already.');
});

const user = 'users: [{ name: acme-user, password: a long password }]';
const step = '{ name: more, workflow: of-others }';

it.each([
  [
    'a duplicate actor',
    `${part}  - { name: globex, type: Partner }\n  - { name: globex, type: Partner }\n`,
    'the actor globex already exists at',
  ],
  ['a duplicate rule', part.replace('acl: [', 'acl: [{ path: /, grants: [] }, '), 'the rule / already exists at'],
  [
    'a duplicate user',
    part.replace(user, user.replace('[', '[{ name: acme-user }, ')),
    'the user acme-user already exists at',
  ],
  ['a cron expression', part.replace('type: OnDemand', "type: Time, cron: '99 * * * *'"), 'trigger.cron: '],
  [
    'an unknown variable',
    part.replace(step, "{ name: log, uses: write-file, with: { path: /a, text: '${{ vars.x }}' } }"),
    'vars',
  ],
  [
    'a damaged key',
    part.replace(' password: a long password', " publicKeys: ['ssh-ed25519 AAAAC3Nza']"),
    'key is damaged',
  ],
  ['no key', part.replace(' password: a long password', " publicKeys: ['nonsense']"), 'is not a public key'],
  [
    'a server that a cluster of the file does not have',
    `${part}clusters: [{ name: edge, servers: [{ name: http, protocol: HTTP }] }]\n`,
    'cluster edge has no server sftp',
  ],
  [
    'a user of another actor of the file',
    `${part}  - { name: globex, type: Partner, users: [{ name: of-others, password: a long password }] }\n`,
    'actor acme has no user of-others',
  ],
  [
    'a connection of the file with another type',
    `${part}clientConnections: [{ name: theirs, type: smtp, host: mail, from: a@b.example }]\n`,
    'the client connection theirs has the type smtp',
  ],
  ['an unknown setting', part.replace('queue: slow', 'queues: slow'), 'queues'],
])('refuses %s, which no platform puts right', async (_, document, message) => {
  const { code, out, err } = await validate(document);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(message);
  expect(err).toMatch(/^waybill validate: 1 error:/u);
});
