import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { storageConfigShape } from '@waybill/service-kit/config/storage-config';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { secretTable } from '../src/secret-table.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const serviceSchema = z.object({
  image: z.string(),
  build: z.unknown().optional(),
  ports: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).default({}),
  networks: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown()).transform((map) => Object.keys(map))])
    .default([]),
  network_mode: z.string().optional(),
  restart: z.string().optional(),
  command: z.unknown().optional(),
  volumes: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  mem_limit: z.string(),
  pids_limit: z.number(),
  logging: z.object({ options: z.object({ 'max-size': z.string(), 'max-file': z.string() }) }),
  privileged: z.boolean().default(false),
  user: z.string().optional(),
});
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
  volumes: z.record(z.string(), z.unknown()),
});
const { services, networks, volumes } = composeSchema.parse(
  parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }),
);
const entries = Object.entries(services);
const longRunning = entries.filter(([name]) => !['prepare', 'migrate', 'setup', 'operator'].includes(name));

it('only HAProxy can be reached from outside, and by default from this machine alone', () => {
  expect(entries.filter(([, { ports }]) => ports.length > 0).map(([name]) => name)).toEqual(['haproxy']);
  for (const port of services['haproxy']?.ports ?? [])
    expect(port).toMatch(/^\$\{WAYBILL_(?:ADMIN_)?BIND:-127\.0\.0\.1\}:/u);
});

it('PostgreSQL and Redis are in a network alone that nothing leaves, and HAProxy is not in it', () => {
  expect(networks['data']?.internal).toBe(true);
  expect([services['postgres']?.networks, services['redis']?.networks]).toEqual([['data'], ['data']]);
  expect(services['haproxy']?.networks).not.toContain('data');
});

/** The setting if `.env` sets no variable. */
const byDefault = (value: string | number | null) => String(value ?? '').replaceAll(/\$\{\w+:-([^}]*)\}/gu, '$1');
const settings = entries.flatMap(([service, { environment }]) =>
  Object.entries(environment).map(([name, value]) => ({ service, name, value: byDefault(value) })),
);

it('no service trusts a network to report the address of a client, only the address of HAProxy', () => {
  const trusting = settings.filter(({ name }) => /TRUSTED_PROXIES|_FROM$/u.test(name));
  const addressesOf = (wanted: (service: string) => boolean) => [
    ...new Set(trusting.filter(({ service }) => wanted(service)).flatMap(({ value }) => value.split(/[\s,]+/u))),
  ];
  // Nothing has the address 255.255.255.255.
  expect(addressesOf((service) => service === 'haproxy')).toEqual(['255.255.255.255']);
  const trusted = addressesOf((service) => service !== 'haproxy');
  expect(trusted).toEqual(['10.203.117.10']);
  expect(trusted.map(isIP)).toEqual([4]);
  const compose = read('docker-compose.yml');
  expect(compose).toContain('services: { ipv4_address: *haproxy-address }');
  expect(compose).toContain(`&haproxy-address \${WAYBILL_SUBNET:-10.203.117}.10\n`);
  for (const { service } of trusting) expect(services[service]?.networks).toContain('services');
});

it('no setting of a container names a network', () => {
  expect(settings.length).toBeGreaterThan(0);
  expect(
    settings.filter(({ value }) => /(?:\d+(?:\.\d+){3}|[\da-f]*::[\da-f:]*)\/\d{1,3}(?!\d)/iu.test(value)),
  ).toEqual([]);
});

it.each(entries)('%s has limits and no privileges', (_name, service) => {
  expect(service.cap_drop).toEqual(['ALL']);
  expect(service.security_opt).toContain('no-new-privileges:true');
  expect(service.privileged).toBe(false);
  expect(service.mem_limit).toMatch(/^(?:\d+[mg]|\$\{WAYBILL_[A-Z]+_MEMORY:-\d+[mg]\})$/u);
  expect(service.pids_limit).toBeGreaterThan(0);
  expect(service.logging.options).toEqual({ 'max-size': '20m', 'max-file': '5' });
});

const storing = entries.filter(([, { environment }]) => 'BLOB_DIR' in environment);
const s3Credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

it('every service that accesses files, and the command line, has the credentials for S3; no other one has', () => {
  const names = [
    'operator',
    ...['http-files', 'job-manager', 'job-scheduler', 'job-worker', 'sftp-gateway'].flatMap((name) => [
      `${name}-1`,
      `${name}-2`,
    ]),
  ];
  expect(storing.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  const having = entries.filter(([, { environment }]) =>
    Object.keys(environment).some((name) => name.startsWith('AWS_')),
  );
  expect(having).toEqual(storing);
});

it.each(storing)('%s can take the credentials for S3 as files of a folder that it cannot change', (_name, service) => {
  for (const name of s3Credentials) {
    // Without a value: passed on if it is set, and never in this file.
    expect(service.environment).toMatchObject({ [name]: null, [`${name}_FILE`]: null });
    expect(storageConfigShape).toHaveProperty(name);
  }
  expect(service.volumes).toContain('${WAYBILL_S3_DIR:-no-s3-credentials}:/etc/waybill/s3:ro');
  expect(volumes).toHaveProperty('no-s3-credentials');
});

it('the workers and the command line of the operator alone have the keys of the stored secrets', () => {
  const having = entries.filter(([, { environment }]) => 'SECRET_KEYS_FILE' in environment);
  expect(having.map(([name]) => name).toSorted()).toEqual(['job-worker-1', 'job-worker-2', 'operator']);
  const folders = secretTable['secret-keys'].files.map((file) => file.split('/')[0]);
  expect(folders).toEqual(['job-worker', 'operator']);
  const mounting = entries.filter(([, service]) =>
    service.volumes.some((volume) => folders.includes(/^([\w-]+)-secrets:/u.exec(volume)?.[1])),
  );
  expect(mounting.map(([name]) => name).toSorted()).toEqual(['job-worker-1', 'job-worker-2', 'operator', 'prepare']);
  for (const [name, { environment, volumes: mounts }] of having) {
    const volume = name === 'operator' ? 'operator-secrets' : 'job-worker-secrets';
    expect(mounts).toContain(`${volume}:/var/lib/waybill/secret-keys:ro`);
    expect(environment['SECRET_KEYS_FILE']).toBe('/var/lib/waybill/secret-keys/secret-keys');
  }
});

it('each folder of a generated secret is one volume, whose folder in the image exists', () => {
  const folders = new Set(Object.values(secretTable).flatMap(({ files }) => files.map((file) => file.split('/')[0])));
  const dockerfile = read('deploy/Dockerfile');
  for (const folder of folders) {
    expect(services['prepare']?.volumes).toContain(`${folder}-secrets:/var/lib/waybill/prepare/${folder}`);
    expect(volumes).toHaveProperty(`${folder}-secrets`);
    expect(/for reader in ([^;]+);/u.exec(dockerfile)?.[1]?.split(' ')).toContain(folder);
  }
});

it('one service builds the image of Waybill for all of them', () => {
  const building = entries.filter(([, { build }]) => build !== undefined);
  expect(building.map(([name, { image }]) => [name, image])).toEqual([['prepare', 'waybill:local']]);
});

it.each(entries)('the image of %s is built here, or has a version to the last number', (_name, { image }) => {
  expect(image).toMatch(/^waybill:local$|:\d+\.\d+(?:\.\d+)?$/u);
});

it.each(longRunning)('%s is started again when it has ended', (_name, { restart }) => {
  expect(restart).toBe('unless-stopped');
});

it.each(['.git', '.waybill', '.tools', '**/node_modules', '**/tests', 'docs', 'tools/*'])(
  'an image is built without %s of this machine',
  (path) => {
    expect(read('.dockerignore').split('\n')).toContain(path);
  },
);

it('an image takes sources alone: no folder of this machine is copied as a whole', () => {
  const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gmu)].flatMap(
    ([, paths]) => paths?.split(' ') ?? [],
  );
  expect(copied).toEqual([
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'patches',
    'tools/bootstrap',
    'packages',
    'services',
    'deploy/demo',
    'tsconfig.base.json',
    'tools/web-build',
  ]);
});
