import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { type Clamd, startClamd } from '@waybill/test-kit/clamav/start-clamd';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { type Proftpd, startProftpd } from '@waybill/test-kit/proftpd/start-proftpd';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HeldCounterparts, startHeldCounterparts } from './held-counterparts.ts';
import { workerRig } from './worker-rig.ts';

const rig = workerRig();
const stop = new AsyncDisposableStack();
const content = randomBytes(8 * 1024 * 1024);
let partner: OpensshServer;
let clamd: Clamd;
let counterparts: HeldCounterparts;
let store: TestObjectStore;
let ftp: Proftpd;
let [pushed, pulled] = ['', ''];

/** What the counterparts hold when all tasks but those of `ftps` are in the middle of their work. */
const heldNames = ['push', 'pull', 's3-push', 's3-pull', '/request', '/webhook', 'mail', 'clamd'];

beforeAll(async () => {
  partner = stop.use(await startOpensshServer());
  clamd = stop.use(await startClamd());
  counterparts = stop.use(await startHeldCounterparts());
  store = stop.use(await createTestObjectStore());
  ftp = stop.use(await startProftpd({ kibibytesPerSecond: 1_024 }));
  [pushed, pulled] = [join(partner.folder, 'pushed'), join(partner.folder, 'pulled')];
  for (const folder of [pushed, pulled]) await mkdir(folder);
  await writeFile(join(pulled, 'far'), content);
  await writeFile(join(ftp.folder, 'far-ftp'), content);
  await store.client.send(new PutObjectCommand({ Bucket: store.bucket, Key: 'out/far-s3', Body: content }));
  await rig.setSecret('ftp', ftp.password);
  await rig.setSecret('s3-id', store.credentials.accessKeyId);
  await rig.setSecret('s3-key', store.credentials.secretAccessKey);
  await rig.setSecret('acme-key', partner.privateKey);
  await rig.setSecret('hook-key', 'the key of the hooks');
  await rig.platform.deliver('/outbox/big', content);
  await rig.platform.deliver('/outbox/small', Buffer.alloc(100_000, 'x'));
  await rig.configure({ workflows: workflowsOf(), more: { clientConnections: await connections() } });
}, 120_000);
afterAll(() => stop.disposeAsync());

async function connections(): Promise<object[]> {
  const local = { host: '127.0.0.1' };
  const sftp = {
    ...local,
    type: 'sftp',
    username: partner.userName,
    privateKey: 'secret://acme-key',
    hostKeys: [partner.hostKey],
  };
  const mebibyte = 1024 * 1024;
  const storePort = Number(new URL(store.endpoint).port);
  const bucketOver = async (name: string) => ({
    name,
    type: 's3',
    endpoint: `http://127.0.0.1:${await counterparts.proxy(name, storePort, mebibyte)}`,
    region: store.region,
    bucket: store.bucket,
    pathStyle: true,
    accessKeyId: 'secret://s3-id',
    secretAccessKey: 'secret://s3-key',
  });
  const ftps = { type: 'ftps', username: ftp.userName, password: 'secret://ftp', idleTimeoutSeconds: 240 };
  const [pushPort, pullPort, scannerPort] = [
    await counterparts.proxy('push', partner.port, mebibyte),
    await counterparts.proxy('pull', partner.port, mebibyte),
    await counterparts.proxy('clamd', clamd.port, 1024),
  ];
  return [
    { ...sftp, name: 'push', port: pushPort },
    { ...sftp, name: 'pull', port: pullPort },
    await bucketOver('s3-push'),
    await bucketOver('s3-pull'),
    { ...ftps, name: 'ftp', host: 'localhost', port: ftp.port, certificateAuthorities: ftp.certificate },
    { name: 'http', type: 'http', url: `http://127.0.0.1:${counterparts.httpPort}`, signingKey: 'secret://hook-key' },
    { ...local, name: 'mail', type: 'smtp', port: counterparts.smtpPort, security: 'none', from: 'w@example.org' },
    { ...local, name: 'scanner', type: 'clamav', port: scannerPort },
  ];
}

function workflowsOf() {
  const tasks = {
    'sftp-push': { connection: 'push', source: '/outbox/big', target: `${pushed}/` },
    'sftp-pull': { connection: 'pull', source: `${pulled}/*`, folder: '/inbox', afterwards: 'delete' },
    's3-push': { connection: 's3-push', source: '/outbox/big', target: 'in/' },
    's3-pull': { connection: 's3-pull', source: 'out/*', folder: '/inbox', afterwards: 'delete' },
    'ftps-push': { connection: 'ftp', source: '/outbox/big', target: `${ftp.folder}/` },
    'ftps-pull': { connection: 'ftp', source: `${ftp.folder}/far*`, folder: '/inbox', afterwards: 'delete' },
    'http-request': { connection: 'http', method: 'PUT', path: '/request', source: '/outbox/small' },
    webhook: { connection: 'http', path: '/webhook', event: 'file.delivered' },
    'send-email': { connection: 'mail', to: 'a@example.org', subject: 's', text: 't' },
    'virus-scan': { connection: 'scanner', source: '/outbox/small' },
  };
  const retry = { attempts: 3, delaySeconds: 0 };
  return Object.fromEntries(
    Object.entries(tasks).map(([uses, parameters]) => [
      uses,
      { steps: [{ name: 'only', uses, with: parameters, retry }] },
    ]),
  );
}

/** Stops the FTP server when both of its transfers are in the middle of a file. */
async function holdFtp(): Promise<void> {
  const isInTheMiddle = async (): Promise<boolean> => {
    const part = (await readdir(ftp.folder)).find((name) => name.endsWith('.part'));
    const pulling = await rig.query(`SELECT FROM filebox.uploads WHERE name = 'far-ftp'`);
    return part !== undefined && (await stat(join(ftp.folder, part))).size > 0 && pulling.length > 0;
  };
  await waitFor(isInTheMiddle, { what: 'both transfers over FTP to begin', intervalMs: 20, timeoutMs: 50_000 });
  ftp.hold();
}

async function keysBelow(Prefix: string): Promise<(string | undefined)[]> {
  const { Contents } = await store.client.send(new ListObjectsV2Command({ Bucket: store.bucket, Prefix }));
  return (Contents ?? []).map(({ Key }) => Key);
}

async function expectStored(path: string): Promise<void> {
  expect((await rig.platform.read(path))?.equals(content)).toBe(true);
  const stored = `SELECT FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'auditMessage' LIKE '%' || $1 || ' %'`;
  expect(await rig.query(stored, path)).toHaveLength(1);
}

it('tasks whose worker is killed while the partner is in the middle of them take effect once, or again with the same key', async () => {
  counterparts.isHolding = true;
  const victim = rig.start('victim', { JOB_LEASE_SECONDS: '6', JOB_CONCURRENCY: '16' });
  const overFtp = [await rig.submit('ftps-push'), await rig.submit('ftps-pull')];
  await holdFtp();
  const others = Object.keys(workflowsOf()).filter((name) => !name.startsWith('ftps'));
  const jobs = [...overFtp];
  for (const name of others) jobs.push(await rig.submit(name));
  await expect.poll(() => [...counterparts.held].toSorted(), { timeout: 50_000 }).toEqual(heldNames.toSorted());
  expect(await readdir(ftp.folder)).toEqual(expect.arrayContaining([expect.stringMatching(/\.part$/u), 'far-ftp']));
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  counterparts.isHolding = false;
  ftp.letGo();
  rig.start('heir');
  const ends = await Promise.all(jobs.map((id) => rig.ended(id)));
  expect(ends.map(({ status, message }) => `${status} ${message}`)).toEqual(
    jobs.map(() => 'COMPLETED All steps are done (1)'),
  );
  const lost = 'SELECT FROM jobs.steps WHERE job_id = ANY ($1) AND attempts > 1 AND losses > 0';
  expect(await rig.query(lost, jobs)).toHaveLength(jobs.length);

  for (const folder of [pushed, ftp.folder]) {
    expect(await readdir(folder)).toEqual(['big']);
    expect((await readFile(join(folder, 'big'))).equals(content)).toBe(true);
  }
  expect(await readdir(pulled)).toEqual([]);
  expect([await keysBelow('in/'), await keysBelow('out/')]).toEqual([['in/big'], []]);
  const { Body } = await store.client.send(new GetObjectCommand({ Bucket: store.bucket, Key: 'in/big' }));
  expect(content.equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
  for (const path of ['/inbox/far', '/inbox/far-ftp', '/inbox/far-s3']) await expectStored(path);
  for (const keys of [
    counterparts.requests.get('/request'),
    counterparts.requests.get('/webhook'),
    counterparts.mails,
  ]) {
    expect(keys?.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(keys?.[0]).toMatch(/.{10}/u);
  }
}, 240_000);
