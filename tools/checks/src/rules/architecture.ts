const foundation = ['contracts', 'service-kit'] as const;

const servicePackages = [
  ...foundation,
  'access',
  'configuration',
  'directory',
  'download-coverage',
  'filebox',
  'http-kit',
  'login-throttle',
  'outbound',
  'outbox',
  'outbox-relay',
  'pgp',
  'postgres',
  'redis',
  'schedule',
  'secrets',
  'sftp-protocol',
  'signing-keys',
  'user-files',
  'workflow',
] as const;

/**
 * Who may import whom: services -> packages -> service-kit -> contracts. A folder that is not named here is
 * refused, so that a new arrow is always a decision. Tests have fewer restrictions: see `check-architecture`.
 */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  'packages/contracts': [],
  'packages/service-kit': ['contracts'],
  'packages/sftp-protocol': ['contracts'],
  'packages/pgp': ['contracts'],
  'packages/ssh-keys': ['contracts'],
  'packages/schedule': ['contracts'],
  'packages/workflow': ['contracts'],
  'packages/postgres': foundation,
  'packages/redis': foundation,
  'packages/login-throttle': [...foundation, 'redis'],
  'packages/download-coverage': ['contracts', 'redis'],
  'packages/outbox': [...foundation, 'postgres'],
  'packages/outbox-relay': [...foundation, 'postgres', 'outbox', 'redis'],
  'packages/signing-keys': foundation,
  'packages/access': [...foundation, 'postgres', 'secrets', 'signing-keys'],
  'packages/outbound': [...foundation, 'directory', 'secrets'],
  'packages/secrets': [...foundation, 'postgres', 'outbox'],
  // Runs outside of the platform, too.
  'packages/platform-client': ['contracts'],
  'packages/certificates': foundation,
  'packages/audit-verifier': [],
  // Pages for browsers, which know the services by their interfaces alone.
  'packages/console': ['contracts'],
  // Partners and auditors run it: it shares no code with the log that it checks.
  'packages/witness': ['service-kit', 'signing-keys'],
  'packages/http-kit': [...foundation, 'access', 'certificates'],
  'packages/deployment': [...foundation, 'certificates', 'http-kit', 'secrets'],
  'packages/filebox': [...foundation, 'postgres', 'outbox'],
  'packages/directory': [...foundation, 'postgres', 'access', 'outbox', 'schedule', 'secrets', 'workflow'],
  // A document of the configuration and what it would do, for `waybill` and the API alike.
  'packages/configuration': [...foundation, 'postgres', 'directory', 'filebox', 'pgp', 'secrets', 'workflow'],
  // A user's operations on files, whatever the protocol.
  'packages/user-files': ['contracts', 'directory', 'filebox'],
  // The schemas and the key stores of the services besides those of the packages: `waybill` manages them all.
  'packages/cli': [
    ...foundation,
    'configuration',
    'postgres',
    'access',
    'signing-keys',
    'outbox',
    'pgp',
    'secrets',
    'ssh-keys',
    'directory',
    'filebox',
    'workflow',
    'sftp-gateway',
    'http-files',
    'job-manager',
    'audit',
    'audit-verifier',
    'witness',
    'platform-client',
  ],
  // What runs anywhere: the commands that need nothing but a running platform.
  'packages/command-line': ['cli', 'audit-verifier', 'packaging'],
  'packages/client': ['platform-client', 'contracts', 'packaging'],
  'packages/test-kit': ['contracts', 'private-datastores'],

  'services/sftp-gateway': servicePackages,
  'services/http-files': servicePackages,
  'services/job-manager': [...servicePackages, 'certificates', 'ssh-keys'],
  // An archive is verified with the auditors' verifier before records are deleted.
  'services/audit': [...servicePackages, 'audit-verifier'],

  'tools/bootstrap': [],
  'tools/checks': ['contracts', 'docs'],
  'tools/docs': [...servicePackages, 'cli', 'sftp-gateway', 'http-files', 'job-manager', 'audit'],
  'tools/private-datastores': foundation,
  'tools/local-platform': [
    ...foundation,
    'cli',
    'deployment',
    'http-kit',
    'private-datastores',
    'secrets',
    'ssh-keys',
    'web-build',
  ],
  'tools/web-build': [],
  'tools/packaging': [],
  'tools/tour': [...foundation, 'private-datastores', 'test-kit', 'local-platform'],
};

/** Libraries that have an owner: only the owner imports them, so that each is configured once and can be replaced. */
export const libraryOwners: Readonly<Record<string, readonly string[]>> = {
  '@marcbachmann/cel-js': ['packages/workflow'],
  '@zxcvbn-ts/language-common': ['packages/access'],
  '@peculiar/x509': ['packages/certificates'],
  '@aws-sdk/client-s3': ['packages/filebox', 'packages/outbound', 'packages/test-kit'],
  commander: ['packages/cli'],
  'basic-ftp': ['packages/outbound'],
  bullmq: ['packages/redis'],
  busboy: ['services/http-files'],
  'csv-parse': ['services/job-manager'],
  croner: ['packages/schedule'],
  esbuild: ['packages/client', 'packages/command-line'],
  express: ['packages/http-kit'],
  ioredis: ['packages/redis', 'packages/test-kit'],
  jose: ['services/job-manager'],
  jsonwebtoken: ['packages/access'],
  'libxml2-wasm': ['services/job-manager'],
  knex: ['packages/postgres'],
  pg: ['packages/postgres', 'packages/test-kit'],
  pino: ['packages/service-kit'],
  'prom-client': ['packages/service-kit'],
  re2js: ['packages/workflow'],
  'ipaddr.js': ['packages/outbound'],
  nodemailer: ['packages/outbound'],
  'openid-client': ['services/job-manager'],
  openpgp: ['packages/pgp'],
  ssh2: ['services/sftp-gateway', 'packages/outbound', 'packages/ssh-keys'],
  'tar-stream': ['services/job-manager'],
  undici: ['packages/platform-client'],
  yauzl: ['services/job-manager'],
  yazl: ['services/http-files', 'services/job-manager'],
};

/** The packages from the registry that a package may import, if limited. */
export const onlyLibraries: Readonly<Record<string, readonly string[]>> = {
  'packages/contracts': ['zod'],
  'packages/platform-client': ['undici', 'zod'],
  'packages/sftp-protocol': [],
  'packages/workflow': ['@marcbachmann/cel-js', 're2js', 'zod'],
  'tools/bootstrap': [],
};

/** What a `domain` folder never imports: the domain knows no transport and no store, only ports. */
export const refusedInDomain: readonly string[] = [
  '@waybill/http-kit',
  '@waybill/outbox',
  '@waybill/outbox-relay',
  '@waybill/postgres',
  '@waybill/redis',
  'bullmq',
  'express',
  'ioredis',
  'knex',
  'pg',
  'ssh2',
  'node:child_process',
  'node:fs',
  'node:http',
  'node:net',
];
