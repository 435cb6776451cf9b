import { expect, it } from 'vitest';
import { oneCommandLine } from './one-command-line.ts';

const platform = `manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: secret, roles: [Administrators] }]
accessTests:
  - name: acme-collects
    expect:
      - acme may download /outbox/**
      - acme may not delete /outbox/**
actors:
  - name: acme
    type: Partner
    users: [{ name: acme, password: secret }]
    virtualFileSystems:
      - name: acme-files
        folders: [/outbox]
        acl: [{ path: /, grants: [{ user: acme, permissions: [list, download] }] }]
    connectionContracts:
      - { name: acme-sftp, cluster: cluster1, server: sftp-server, clauses: [{ user: acme, vfs: acme-files }] }
`;

const { run } = oneCommandLine();

it('plan and apply keep access tests, and name the line of one that does not hold, with the rules that decide', async () => {
  expect(await run('apply', platform)).toMatchObject({ code: 0 });
  for (const command of ['plan', 'apply'] as const) {
    const { code, err } = await run(command, platform.replace('[list, download]', '[list, download, delete]'));
    expect(code).toBe(1);
    expect(err).toContain(
      '  platform.yaml:8:9: accessTests[0].expect[1]: expected: acme may not delete /outbox/**; but on cluster1/sftp-server, at /outbox/any: ',
    );
    expect(err).toContain('The rule on / of acme-files grants delete to user acme');
    const wrong = await run(command, platform.replace('may download', 'can download'));
    expect(wrong.err).toContain('  platform.yaml:7:9: accessTests[0].expect[0]: is not of the form');
    const network = await run(command, platform.replace('delete /outbox/**', 'delete /outbox/** from 192.0.2.0/24'));
    expect(network.err).toContain('  platform.yaml:8:9: accessTests[0].expect[1]: has no IP address at its end');
    const elsewhere = platform
      .replace('download /outbox/**', 'download /outbox/** from 192.0.2.7')
      .replace('password: secret }]\n    virtual', "password: secret, networks: ['198.51.100.0/24'] }]\n    virtual");
    expect((await run(command, elsewhere)).err).toContain(
      '  platform.yaml:7:9: accessTests[0].expect[0]: expected: acme may download /outbox/** from 192.0.2.7; but 192.0.2.7 is not in the networks of user acme: 198.51.100.0/24',
    );
  }
  expect((await run('plan', platform)).out).toContain('Nothing to change');
});
