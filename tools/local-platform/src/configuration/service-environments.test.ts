import { expect, it } from 'vitest';
import { configSchema } from './config.ts';
import type { PlatformFolder } from './platform-folder.ts';
import { commandEnvironment, keySettings, serviceEnvironments } from './service-environments.ts';

const folder: PlatformFolder = {
  postgres: '/w/postgres',
  redis: '/w/redis',
  blobs: '/w/blobs',
  hostKeys: '/w/host-keys',
  signingKey: '/w/signing-key',
  auditKey: '/w/audit-key',
  receiptKey: '/w/receipt-key',
  acmeKey: '/w/acme',
  secretKeys: '/w/secret-keys',
  accessSecretKeys: '/w/access-secret-keys',
  databasePassword: (user) => `/w/database/${user}`,
  configuration: '/w/configuration.json',
  configurationValue: (variable) => `/w/configuration/${variable}`,
  environments: '/w/environments',
  log: (name) => `/w/${name}.log`,
  pid: (name) => `/w/${name}.pid`,
};
const addresses = {
  database: {
    of: (user: string) => ({ DATABASE_URL: `postgres://${user}@localhost/waybill` }),
    asOperator: { OPERATOR_DATABASE_URL: 'postgres://operator@localhost/waybill' },
  },
  redis: (service: string) => ({ REDIS_URL: `redis://${service}@localhost` }),
};
const environmentOf = (variables: Readonly<Record<string, string>>) =>
  serviceEnvironments(configSchema.parse(variables), folder, addresses)['sftp-gateway'];

it('makes the gateway share its port among the requested number of processes', () => {
  expect(environmentOf({ WAYBILL_SFTP_PROCESSES: '3' })).toMatchObject({ SFTP_PROCESSES: '3' });
});

it('leaves unset variables to the defaults of the gateway', () => {
  expect(environmentOf({})).not.toHaveProperty('SFTP_PROCESSES');
});

it.each(['0', '65', 'two'])('refuses %s as a number of processes', (text) => {
  expect(configSchema.safeParse({ WAYBILL_SFTP_PROCESSES: text }).error?.issues).toMatchObject([
    { path: ['WAYBILL_SFTP_PROCESSES'], message: 'is not a number from 1 to 64' },
  ]);
});

it('makes each service log in to the database with its role', () => {
  const environments = serviceEnvironments(configSchema.parse({}), folder, addresses);
  for (const [name, { DATABASE_URL: url }] of Object.entries(environments)) {
    expect(url).toBe(`postgres://${name}@localhost/waybill`);
  }
});

it('makes each service log in to Redis as itself', () => {
  const environments = serviceEnvironments(configSchema.parse({}), folder, addresses);
  for (const [name, { REDIS_URL: url }] of Object.entries(environments)) expect(url).toBe(`redis://${name}@localhost`);
});

it('makes the command line use the signing keys of the services', () => {
  const environments: Readonly<Record<string, string>>[] = Object.values(
    serviceEnvironments(configSchema.parse({}), folder, addresses),
  );
  for (const [setting, place] of Object.entries(keySettings(folder))) {
    expect(environments.flatMap((environment) => environment[setting] ?? [])).toEqual([place]);
  }
});

it('gives the keys of the stored secrets to the job manager alone', () => {
  const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = serviceEnvironments(
    configSchema.parse({}),
    folder,
    addresses,
  );
  const having = Object.entries(environments).filter(([, environment]) => 'SECRET_KEYS_FILE' in environment);
  expect(having.map(([name, environment]) => [name, environment['SECRET_KEYS_FILE']])).toEqual([
    ['job-manager', '/w/secret-keys'],
  ]);
});

it('tells the command line whose database it has', () => {
  const config = configSchema.parse({ WAYBILL_EDGE_PORT: '9080' });
  expect(commandEnvironment(config, { DATABASE_URL: 'postgresql://here' })).toEqual({
    DATABASE_URL: 'postgresql://here',
    DATABASE_PLATFORM: 'http://127.0.0.1:9080',
  });
});
