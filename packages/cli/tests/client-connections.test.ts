import { expect, it } from 'vitest';
import { oneCommandLine } from './one-command-line.ts';

const line = oneCommandLine();
const file = (connection: string): string => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: 'a password of 12', roles: [Administrators] }]
actors:
  - name: acme
    type: Partner
    clientConnections:
      - ${connection}
`;
const sftp = (more: string): string => `{ name: acme-sftp, type: sftp, host: sftp.example.org, username: u, ${more} }`;
const hostKeys = "hostKeys: ['SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']";

it('creates, changes and removes client connections, and warns of secrets that are not stored', async () => {
  const first = await line.run('apply', file(sftp(`password: 'secret://acme', ${hostKeys}`)));
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toContain('+ Client Connection acme-sftp');
  expect(first.out).toMatch(
    /clientConnections\[0\]\.password: there is no secret acme: .*secret set acme --actor acme/u,
  );
  const planned = await line.run('plan', file(sftp(`port: 2222, password: 'secret://acme', ${hostKeys}`)));
  expect(planned.out).toContain('port: 22 -> 2222');
  const removed = await line.run(
    'apply',
    file(sftp(`password: 'secret://acme', ${hostKeys}`)).replace(/ {4}client[^]*/u, ''),
  );
  expect(removed.out).toContain('- Client Connection acme-sftp');
});

it.each([
  ['a password in plain text', `password: hunter2, ${hostKeys}`, 'must be a reference such as secret://name'],
  ['no login', hostKeys, 'or privateKey is missing'],
  ['no host key', "password: 'secret://a'", 'hostKeys'],
  ['a damaged host key', "password: 'secret://a', hostKeys: ['ssh-ed25519 AAAA']", 'is damaged'],
  ['an address in place of a host', `password: 'secret://a', ${hostKeys}, port: 0`, 'port'],
])('refuses %s, without showing a value', async (_, settings, message) => {
  const refused = await line.run('plan', file(sftp(settings)));
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(message);
  expect(refused.err).not.toContain('hunter2');
});

it.each([
  [
    'a token over plain HTTP',
    "{ name: a, type: http, url: 'http://a.example', bearerToken: 'secret://t' }",
    'is not https',
  ],
  [
    'a password in the address',
    "{ name: a, type: http, url: 'https://u:hunter2@a.example' }",
    'must not contain a user',
  ],
  [
    'a mail password without encryption',
    "{ name: a, type: smtp, host: a.example, from: a@b.cc, security: none, username: u, password: 'secret://p' }",
    'unencrypted',
  ],
])('refuses %s', async (_, connection, message) => {
  const refused = await line.run('plan', file(connection));
  expect(refused.err).toContain(message);
  expect(refused.err).not.toContain('hunter2');
});

it('shows all connections that steps name and cannot use, with their lines', async () => {
  const step = (name: string, connection: string): string =>
    `      - { name: ${name}, uses: sftp-push, with: { connection: ${connection}, source: /a, target: b } }`;
  const template = [
    'workflowTemplates:',
    '  - name: send',
    '    steps:',
    step('one', 'acme-sfpt'),
    step('two', 'mail'),
  ];
  const action = '{ name: run, trigger: { type: OnDemand }, workflow: send }';
  const configuration = `${file(sftp(`password: 'secret://acme', ${hostKeys}`))}
    contracts: [{ name: orders, type: Output, actions: [${action}] }]
clientConnections: [{ name: mail, type: smtp, host: mail.example.org, from: a@example.org }]
${template.join('\n')}
`;
  const planned = await line.run('plan', configuration);
  expect(planned).toMatchObject({ code: 1, out: '' });
  const first = configuration.split('\n').findIndex((text) => text.includes('acme-sfpt')) + 1;
  expect(planned.err.trimEnd().split('\n')).toEqual([
    'waybill plan: 2 errors:',
    expect.stringMatching(
      new RegExp(`:${first}:47: .*has no client connection acme-sfpt; did you mean acme-sftp\\?$`, 'u'),
    ),
    expect.stringMatching(new RegExp(`:${first + 1}:47: .*mail has the type smtp: the task needs sftp$`, 'u')),
  ]);
});
