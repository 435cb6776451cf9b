import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';

const canary = 'canary-4b1f-"quoted"-ä-of-this-test';
const logged: string[] = [];
const logger = createLogger({ service: 'canary', level: 'trace', destination: { write: (line) => logged.push(line) } });
const rig = connectionRig({}, logger);
const stop = new AsyncDisposableStack();

/** Every form in which something could have stored it. */
const forms = [
  canary,
  'canary-4b1f',
  'of-this-test',
  JSON.stringify(canary).slice(1, -1),
  encodeURIComponent(canary),
  Buffer.from(canary).toString('base64').slice(0, -4),
  Buffer.from(`user:${canary}`).toString('base64').slice(0, -4),
  Buffer.from(canary).toString('base64url').slice(0, -4),
  Buffer.from(canary).toString('hex'),
];

beforeAll(async () => {
  const { cert, key } = await makeSelfSigned({ names: ['localhost'], days: 1 });
  const [api, mail] = [await startEchoingApi({ cert, key }), await startEchoingMailServer({ cert, key })];
  const sshd: OpensshServer = stop.use(await startOpensshServer());
  await rig.setSecret('canary', canary);
  await rig.setSecret('canary', canary, 'acme');
  await rig.setSecret('key-with-canary', `${sshd.privateKey}\n# ${canary}`);
  await rig.setSecret('key', sshd.privateKey);
  const password = 'secret://canary';
  const http = { type: 'http', url: `https://localhost:${api}`, certificateAuthorities: cert };
  const sftp = { type: 'sftp', host: '127.0.0.1', port: sshd.port, username: sshd.userName, hostKeys: [sshd.hostKey] };
  const request = (connection: string, path = '') => ({ uses: 'http-request', with: { connection, path } });
  const push = (connection: string) => ({
    uses: 'sftp-push',
    with: { connection, source: '/outbox/file', target: `${sshd.folder}/file` },
  });
  await rig.configure(
    [
      { ...http, name: 'basic', username: 'user', password },
      { ...http, name: 'bearer', bearerToken: password },
      { ...http, name: 'signed', signingKey: password },
      { ...sftp, name: 'sftp-password', password },
      { ...sftp, name: 'sftp-damaged-key', privateKey: password },
      { ...sftp, name: 'sftp-passphrase', privateKey: 'secret://key', passphrase: password },
      { ...sftp, name: 'sftp-dead', password, port: 1 },
      {
        name: 'mail',
        type: 'smtp',
        host: 'localhost',
        port: mail,
        security: 'tls',
        certificateAuthorities: cert,
        from: 'a@b.cc',
        username: 'user',
        password,
      },
    ],
    {
      'fails-basic': request('basic', '/fail'),
      'fails-bearer': request('bearer', '/fail'),
      'fails-signed': request('signed', '/fail'),
      'works-signed': request('signed'),
      'works-basic': request('basic'),
      'fails-sftp-password': push('sftp-password'),
      'fails-sftp-damaged-key': push('sftp-damaged-key'),
      'works-sftp-passphrase': push('sftp-passphrase'),
      'fails-sftp-dead': push('sftp-dead'),
      'fails-mail': { uses: 'send-email', with: { connection: 'mail', to: 'x@y.zz', subject: 's', text: 't' } },
    },
  );
  await rig.platform.deliver('/outbox/file', Buffer.from('content'));
});
afterAll(() => stop.disposeAsync());

/** A partner that answers with the headers of the request, among them the credentials. */
async function startEchoingApi(tls: { cert: string; key: string }): Promise<number> {
  const server = createServer(tls, (request, response) => {
    const { authorization = '' } = request.headers;
    const decoded = Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString();
    response.writeHead(request.url === '/fail' ? 403 : 200);
    response.end(`you sent ${authorization}, which is ${decoded}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A mail server that says which password it has refused. */
async function startEchoingMailServer(tls: { cert: string; key: string }): Promise<number> {
  const server = new SMTPServer({
    ...tls,
    secure: true,
    logger: false,
    onAuth: ({ password }, _session, done) => {
      const refusal = new Error(`${password} (${Buffer.from(password ?? '').toString('base64')}) is wrong`);
      done(Object.assign(refusal, { responseCode: 535 }));
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  stop.defer(() => server.close());
  return (listening.address() as AddressInfo).port;
}

async function everyRow(): Promise<string> {
  const { database } = rig.platform;
  const tables = (await database.query(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )) as { name: string }[];
  expect(tables.length).toBeGreaterThan(20);
  const rows = await Promise.all(
    tables.map(({ name }) => database.query(`SELECT CAST(t AS text) AS row FROM ${name} AS t`)),
  );
  return JSON.stringify(rows.flat().map((row) => (row as { row: string }).row));
}

async function everyKey(): Promise<string> {
  const redis = connectRedis({ url: rig.platform.redis.url, name: 'canary', logger });
  try {
    const read: Record<string, (key: string) => Promise<unknown>> = {
      string: (key) => redis.get(key),
      hash: (key) => redis.hgetall(key),
      list: (key) => redis.lrange(key, 0, -1),
      set: (key) => redis.smembers(key),
      zset: (key) => redis.zrange(key, '0', '-1'),
      stream: (key) => redis.xrange(key, '-', '+'),
    };
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map(async (key) => (await read[await redis.type(key)]?.(key)) ?? ''));
    return JSON.stringify([keys, values]);
  } finally {
    redis.disconnect();
  }
}

it('never lets a secret out: not into tables, Redis, logs or the details of jobs, even if the partner echoes it', async () => {
  const seen: string[] = [];
  for (const [name, status] of [
    ['fails-basic', 'ERROR'],
    ['fails-bearer', 'ERROR'],
    ['fails-signed', 'ERROR'],
    ['works-signed', 'COMPLETED'],
    ['works-basic', 'COMPLETED'],
    ['fails-sftp-password', 'ERROR'],
    ['fails-sftp-damaged-key', 'ERROR'],
    ['works-sftp-passphrase', 'COMPLETED'],
    ['fails-sftp-dead', 'ERROR'],
    ['fails-mail', 'ERROR'],
  ] as const) {
    seen.push(JSON.stringify(await rig.run(name, status)));
  }
  const jobs = seen.join('\n');
  // The connections were used: what the partners said is there, with a mask in the place of the secret.
  expect(jobs).toMatch(/answers 403: you sent Basic \w+\*+/u);
  expect(jobs).toMatch(/answers 403: you sent Bearer \*+/u);
  expect(jobs).toMatch(/\*+ is wrong|\*+ \(/u);
  const { text: metrics } = await rig.manager.client.get('/metrics');
  const everything = {
    jobs,
    metrics,
    logs: logged.join(''),
    listed: JSON.stringify(await rig.manager.jobs()),
    tables: await everyRow(),
    redis: await everyKey(),
  };
  expect(everything.logs).toContain('step failed');
  for (const [place, text] of Object.entries(everything)) {
    for (const form of forms) expect(text.includes(form), `${place} holds ${form}`).toBe(false);
  }
});
