import { testConfiguration } from './test-configuration.ts';

/** Connects users to servers, by one Connection Contract each. */
export const toServers = (names: readonly string[], clauses: readonly object[]) =>
  names.map((server) => ({ name: `acme-${server}`, cluster: 'cluster1', server, clauses }));

/** An actor with users, files and Connection Contracts of all kinds. */
export const acme = {
  name: 'acme',
  type: 'Partner',
  users: [
    { name: 'acme', password: 'acme-demo', groups: ['clerks'] },
    { name: 'keyless', authentication: 'key' },
    { name: 'off', password: 'off-demo', enabled: false },
    { name: 'lonely', password: 'lonely-demo' },
  ],
  virtualFileSystems: [
    {
      name: 'acme-files',
      folders: ['/inbox', '/outbox'],
      acl: [
        { path: '/', grants: [{ user: 'acme', permissions: ['list'] }] },
        { path: '/outbox', grants: [{ group: 'clerks', permissions: ['download', 'list'] }] },
      ],
    },
    { name: 'full', limits: { files: 0, folders: 0 } },
    { name: 'flat', limits: { depth: 1, bytes: 0 } },
  ],
  connectionContracts: [
    ...toServers(
      ['sftp-server', 'http-server'],
      [
        { user: 'acme', vfs: 'acme-files' },
        { group: 'clerks', vfs: 'full', mountPath: '/full/of' },
        { group: 'clerks', vfs: 'flat', mountPath: '/full/flat' },
        { user: 'keyless', vfs: 'acme-files' },
      ],
    ),
    {
      name: 'night',
      enabled: false,
      cluster: 'cluster1',
      server: 'sftp-server',
      clauses: [{ user: 'lonely', vfs: 'full' }],
    },
  ],
};

/** A platform with that actor, and with two servers for HTTP. */
export const configuration = {
  manager: testConfiguration.manager,
  managerUsers: testConfiguration.managerUsers,
  clusters: [
    {
      name: 'cluster1',
      servers: [
        { name: 'sftp-server', protocol: 'SFTP' },
        { name: 'http-server', protocol: 'HTTP' },
        { name: 'second-server', protocol: 'HTTP' },
      ],
    },
  ],
  actors: [acme],
};
