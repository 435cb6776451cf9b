import { parseStructure } from '@waybill/directory/checks/check-document';

const password = 'demo';

/** A small platform with one of everything, as `waybill apply` would read it: change it, then `parse` it. */
export function demoPlatform() {
  return {
    manager: { name: 'manager1' },
    clusters: [
      {
        name: 'cluster1',
        servers: [
          { name: 'sftp-server', protocol: 'SFTP' },
          { name: 'http-server', protocol: 'HTTP' },
        ],
      },
    ],
    managerUsers: [
      { name: 'admin', password, roles: ['Administrators'], enabled: true },
      { name: 'viewer', password, roles: ['Users'], enabled: true },
    ],
    queues: [{ name: 'Slow', priority: 1, parallelism: 1 }],
    workflowTemplates: [
      { name: 'pack', description: '', steps: [{ name: 'one', uses: 'gzip', with: { source: 'a', target: 'b' } }] },
    ],
    actors: [acme(), globex()],
  };
}

/** The configuration of a demo platform. */
export function parse(platform: object) {
  return parseStructure(platform);
}

function acme() {
  return {
    name: 'acme',
    type: 'Partner',
    users: [
      { name: 'acme', password, groups: ['clerks'], enabled: true },
      { name: 'acme-2', password: 'second', groups: [] as string[], enabled: true },
    ],
    virtualFileSystems: [
      {
        name: 'acme-files',
        folders: ['/inbox'],
        acl: [
          { path: '/', grants: [{ user: 'acme', permissions: ['list'] }] },
          { path: '/inbox', grants: [{ group: 'clerks', permissions: ['list', 'upload'] }] },
        ],
      },
    ] as { name: string; folders?: string[]; acl?: { path: string; grants: object[] }[] }[],
    connectionContracts: [
      {
        name: 'acme-sftp',
        enabled: true,
        cluster: 'cluster1',
        server: 'sftp-server',
        clauses: [{ group: 'clerks', vfs: 'acme-files' }] as object[],
      },
    ],
    contracts: [
      {
        name: 'invoices',
        type: 'Mediation',
        enabled: true,
        queue: 'Slow',
        actions: [
          {
            name: 'arrived',
            trigger: { type: 'NewFile', vfs: 'acme-files', virtualPath: '/inbox', filePattern: '*.csv' },
            workflow: 'pack',
            variables: { folder: '/outbox' },
          },
          { name: 'by-hand', trigger: { type: 'OnDemand' }, vfs: 'acme-files', workflow: 'pack' },
        ],
      },
    ],
  };
}

function globex() {
  return {
    name: 'globex',
    type: 'Partner',
    users: [{ name: 'globex', password, groups: ['clerks'], enabled: true }],
    virtualFileSystems: [{ name: 'globex-files' }] as ReturnType<typeof acme>['virtualFileSystems'],
    connectionContracts: [] as ReturnType<typeof acme>['connectionContracts'],
    contracts: [] as ReturnType<typeof acme>['contracts'],
  };
}
