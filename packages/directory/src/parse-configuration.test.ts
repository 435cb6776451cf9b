import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from './parse-configuration.ts';

const users = [{ name: 'acme', password: 'secret-of-acme', groups: ['clerks'] }, { name: 'second' }];
const contract = {
  name: 'invoices',
  type: 'Mediation',
  actions: [
    { name: 'arrived', trigger: { type: 'NewFile', vfs: 'files', virtualPath: '/inbox' }, workflow: 'pack' },
    { name: 'by-hand', trigger: { type: 'OnDemand' }, vfs: 'files', workflow: 'pack' },
  ],
};
const actor = {
  name: 'acme',
  type: 'Partner',
  users,
  virtualFileSystems: [
    { name: 'files', acl: [{ path: '/', grants: [{ group: 'clerks', permissions: ['list'] }] }] },
    { name: 'more' },
  ],
  connectionContracts: [
    {
      name: 'sftp',
      cluster: 'c',
      server: 's',
      clauses: [
        { user: 'acme', vfs: 'files' },
        { group: 'clerks', vfs: 'more', mountPath: '/more' },
      ],
    },
  ],
  contracts: [contract],
};
const whole = {
  manager: { name: 'manager1' },
  clusters: [{ name: 'c', servers: [{ name: 's', protocol: 'SFTP' }] }],
  storageClasses: [] as object[],
  managerUsers: [{ name: 'admin', password: 'secret-of-admin', roles: ['Administrators'] }],
  workflowTemplates: [{ name: 'pack', steps: [{ name: 'one', uses: 'gzip', with: { source: '/a', target: '/b' } }] }],
  actors: [actor],
};

/** The configuration with one value put somewhere else: `set('actors.0.name', 'x')`. */
function set(place: string, value: unknown): unknown {
  const copy = structuredClone<unknown>(whole);
  const steps = place.split('.');
  const last = steps.pop() ?? '';
  const owner = steps.reduce((node, step) => (node as Record<string, unknown>)[step], copy);
  (owner as Record<string, unknown>)[last] = value;
  return copy;
}

function faultsOf(value: unknown): string[] {
  try {
    parseConfiguration(value);
    return [];
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    expect(JSON.stringify([error.message, error.fields])).not.toContain('secret-of');
    return error.fields.map(({ field, message }) => `${field}: ${message}`);
  }
}

const [clause, groupClause] = actor.connectionContracts[0]!.clauses;

describe('parseConfiguration', () => {
  it('fills in what may be left out', () => {
    const configuration = parseConfiguration(whole);
    expect(configuration.queues).toEqual([]);
    expect(configuration.actors[0]?.virtualFileSystems[0]?.storageClass).toBe('local');
    expect(configuration.actors[0]?.contracts[0]).toMatchObject({
      enabled: true,
      queue: 'Default Queue',
      description: '',
    });
    expect(configuration.actors[0]?.connectionContracts[0]?.clauses[0]?.mountPath).toBe('/');
  });

  it.each([
    ['clusters.0.servers.0.protocol', 'FTP', 'clusters[0].servers[0].protocol: must be SFTP or HTTP'],
    ['managerUsers.0.password', '', 'managerUsers[0].password'],
    ['managerUsers.0.roles', ['Users'], 'managerUsers: no enabled user'],
    ['managerUsers.0.enabled', false, 'managerUsers: no enabled user'],
    ['storageClasses', [{ name: 'local', type: 'local', folder: '/x' }], 'storageClasses[0].name: is the name of'],
    ['storageClasses', [{ name: 'a', type: 'local', folder: 'x' }], 'storageClasses[0].folder: is not an absolute'],
    ['storageClasses', [{ name: 'a', type: 's3' }], 'storageClasses[0].bucket'],
    [
      'storageClasses',
      [{ name: 'a', type: 's3', bucket: 'bucket', endpoint: 'ftp://x' }],
      'storageClasses[0].endpoint',
    ],
    ['storageClasses', [{ name: 'a', type: 's3', bucket: 'bucket', prefix: '../x?' }], 'storageClasses[0].prefix'],
    [
      'storageClasses',
      [{ name: 'a', type: 's3', bucket: 'bucket', secretAccessKey: 'x' }],
      'storageClasses[0].secretAccessKey: unknown key secretAccessKey; known are name, type, bucket',
    ],
    [
      'storageClasses',
      [
        { name: 'a', type: 's3', bucket: 'bucket' },
        { name: 'a', type: 's3', bucket: 'other' },
      ],
      'storageClasses[1].name: the storage class a already exists',
    ],
    [
      'actors.0.virtualFileSystems.0.storageClass',
      'x',
      'actors[0].virtualFileSystems[0].storageClass: there is no storage class x',
    ],
    ['actors.0.name', 'ac me', 'actors[0].name: has no blanks'],
    ['actors.0.nickname', 'x', 'actors[0].nickname: unknown key nickname; known are name, '],
    ['actors.0.users.1.name', 'acme', 'actors[0].users[1].name: the user acme already exists at actors[0].users[0]'],
    [
      'actors.0.users.0.publicKeys',
      [{ key: rsaKey(2047) }, rsaKey(2048)],
      'actors[0].users[0].publicKeys[0]: has 2047 bits: an RSA key needs 2048 or more',
    ],
    [
      'actors.0.users.0.publicKeys',
      [rsaKey(2048), { key: `${rsaKey(2048)} again`, comment: 'the same' }],
      'actors[0].users[0].publicKeys[1]: is there twice',
    ],
    [
      'actors.0.users.0.publicKeys',
      [rsaKey(2048).slice(0, 80)],
      'actors[0].users[0].publicKeys[0]: this RSA key is damaged: copy the whole line again',
    ],
    ['actors.0.users.0.publicKeys', ['ssh-ed25519 AAAAC3Nz'], 'publicKeys[0]: this Ed25519 key is damaged: copy'],
    [
      'actors.0.users.0.publicKeys',
      [{ key: rsaKey(2048), expires: 'tomorrow' }],
      'actors[0].users[0].publicKeys[0].expires: is neither a day',
    ],
    [
      'actors.0.users.0.authentication',
      'none',
      'actors[0].users[0].authentication: must be password, key, both or either',
    ],
    [
      'actors.0.users.0.legacyAlgorithms',
      { allow: ['diffie-hellman-group1-sha1'], until: '2030-01-01' },
      'actors[0].users[0].legacyAlgorithms.allow[0]: must be diffie-hellman-group14-sha1, ssh-rsa,',
    ],
    ['actors.0.users.0.legacyAlgorithms', { allow: ['aes256-cbc'] }, 'actors[0].users[0].legacyAlgorithms.until'],
    ['actors.0.users.0.publicKeys', ['', 'ssh-dss AAAA'], 'actors[0].users[0].publicKeys[1]: is not a public key'],
    [
      'actors.0.virtualFileSystems.1.name',
      'files',
      'actors[0].virtualFileSystems[1].name: the VFS files already exists',
    ],
    [
      'actors.0.virtualFileSystems.0.folders',
      ['/a/../b'],
      'actors[0].virtualFileSystems[0].folders[0]: The path is not valid',
    ],
    [
      'actors.0.virtualFileSystems.0.folders',
      ['inbox'],
      'actors[0].virtualFileSystems[0].folders[0]: must be an absolute path without a trailing slash, such as /outbox',
    ],
    [
      'actors.0.virtualFileSystems.0.acl.0.grants.0.group',
      'x',
      'actors[0].virtualFileSystems[0].acl[0].grants[0].group: actor acme has no group x',
    ],
    ['actors.0.virtualFileSystems.0.acl.0.grants.0.user', 'acme', 'names either a user or a group'],
    ['actors.0.connectionContracts.0.cluster', 'x', 'actors[0].connectionContracts[0].cluster: there is no cluster x'],
    [
      'actors.0.connectionContracts.0.server',
      'x',
      'actors[0].connectionContracts[0].server: cluster c has no server x',
    ],
    [
      'actors.0.connectionContracts.0.clauses.0',
      { ...clause, vfs: 'x' },
      'actors[0].connectionContracts[0].clauses[0].vfs: actor acme has no VFS x',
    ],
    [
      'actors.0.connectionContracts.0.clauses.0',
      { ...clause, user: 'x' },
      'actors[0].connectionContracts[0].clauses[0].user: actor acme has no user x',
    ],
    [
      'actors.0.connectionContracts.0.clauses.1',
      { ...groupClause, mountPath: '/' },
      'actors[0].connectionContracts[0].clauses[1].mountPath: user acme has VFS files at / of c/s already, by actors[0].connectionContracts[0].clauses[0].mountPath',
    ],
    ['actors.0.contracts.0.queue', 'x', 'actors[0].contracts[0].queue: there is no queue x'],
    [
      'actors.0.contracts.0.actions.0.workflow',
      'x',
      'actors[0].contracts[0].actions[0].workflow: there is no workflow template x',
    ],
    [
      'actors.0.contracts.0.actions.0.trigger.vfs',
      'x',
      'actors[0].contracts[0].actions[0].trigger.vfs: actor acme has no VFS x',
    ],
    [
      'actors.0.contracts.0.actions.0.trigger.filePattern',
      'in/*.csv',
      'actors[0].contracts[0].actions[0].trigger.filePattern: must not contain a slash or control characters; the folder belongs in virtualPath',
    ],
    [
      'actors.0.contracts.0.actions.0.vfs',
      'more',
      'actors[0].contracts[0].actions[0].vfs: the action works in the VFS of its trigger, files',
    ],
    ['actors.0.contracts.0.actions.1.vfs', 'x', 'actors[0].contracts[0].actions[1].vfs: actor acme has no VFS x'],
    [
      'actors.0.contracts.0.actions.1.name',
      'arrived',
      'actors[0].contracts[0].actions[1].name: the action arrived already exists',
    ],
    [
      'actors.1',
      { name: 'globex', type: 'Partner', contracts: [contract] },
      'actors[1].contracts[0].name: the contract invoices already exists',
    ],
  ])('names the place of what is wrong: %s = %j', (place, value, expected) => {
    expect(faultsOf(set(place, value)).join('\n')).toContain(expected);
  });

  it('names everything that is wrong at once', () => {
    const broken = set('actors.0.connectionContracts.0.clauses', [
      { user: 'x', vfs: 'y' },
      { group: 'z', vfs: 'more', mountPath: '/more' },
    ]);
    expect(faultsOf(broken)).toHaveLength(3);
  });

  it.each([undefined, null, 'text', [], {}])('refuses %j', (value) => {
    expect(faultsOf(value)).not.toHaveLength(0);
  });
});

/** A line with a modulus of that many bits, all of them set. */
function rsaKey(bits: number): string {
  const bytes = Math.ceil(bits / 8);
  const modulus = Buffer.alloc(bytes, 0xff);
  modulus[0] = 0xff >> (bytes * 8 - bits);
  const parts = [Buffer.from('ssh-rsa'), Buffer.of(1, 0, 1), Buffer.concat([Buffer.alloc(1), modulus])];
  const blob = parts.map((part) => Buffer.concat([Buffer.of(0, 0, part.length >> 8, part.length & 0xff), part]));
  return `ssh-rsa ${Buffer.concat(blob).toString('base64')}`;
}
