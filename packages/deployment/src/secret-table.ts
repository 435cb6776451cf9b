/** A password, or another secret, of the composed platform. */
export interface SecretEntry {
  /** `key-ring`: a key of the stored secrets, in place of a random password. */
  readonly kind?: 'key-ring';
  /** Variable that sets the value; by default a random value is generated once and kept. */
  readonly variable?: string;
  /** The files of the value: `<folder of a container>/<file>`. No container can read the folder of another one. */
  readonly files: readonly string[];
}

/** Every generated secret of the composed platform, and its readers. */
export const secretTable = {
  'database-superuser': {
    variable: 'WAYBILL_DATABASE_PASSWORD',
    files: ['postgres/password', 'migrate/superuser-password'],
  },
  'database-migrator': { files: ['migrate/migrator-password'] },
  'database-sftp-gateway': { files: ['migrate/sftp-gateway-password', 'sftp-gateway/database-password'] },
  'database-http-files': { files: ['migrate/http-files-password', 'http-files/database-password'] },
  'database-job-manager': { files: ['migrate/job-manager-password', 'job-manager/database-password'] },
  'database-audit': { files: ['migrate/audit-password', 'audit/database-password'] },
  // The job manager's API changes the configuration as the operator.
  'database-operator': {
    files: ['migrate/operator-password', 'setup/database-password', 'job-api/database-password'],
  },
  'redis-sftp-gateway': { files: ['sftp-gateway/redis-password'] },
  'redis-http-files': { files: ['http-files/redis-password'] },
  'redis-job-manager': { files: ['job-manager/redis-password'] },
  'redis-audit': { files: ['audit/redis-password'] },
  'redis-operator': { files: ['redis/operator-password'] },
  // Workers decrypt with it; the operator's command line encrypts with it.
  'secret-keys': { kind: 'key-ring', files: ['job-worker/secret-keys', 'operator/secret-keys'] },
  // The job manager's API and the partners' servers encrypt second factors with it; they have no key of the other secrets.
  'access-secret-keys': {
    kind: 'key-ring',
    files: ['job-api/access-secret-keys', 'http-files/access-secret-keys', 'sftp-gateway/access-secret-keys'],
  },
  admin: { variable: 'ADMIN_PASSWORD', files: ['setup/admin-password'] },
  viewer: { variable: 'VIEWER_PASSWORD', files: ['setup/viewer-password'] },
  acme: { variable: 'ACME_PASSWORD', files: ['setup/acme-password'] },
  globex: { variable: 'GLOBEX_PASSWORD', files: ['setup/globex-password'] },
  initech: { variable: 'INITECH_PASSWORD', files: ['setup/initech-password'] },
} as const satisfies Record<string, SecretEntry>;

/** The name of a generated secret. */
export type SecretName = keyof typeof secretTable;
