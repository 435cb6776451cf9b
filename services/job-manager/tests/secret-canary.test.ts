import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { startProftpd } from '@waybill/test-kit/proftpd/start-proftpd';
import { urlAs } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everyKey, everyRow, startEchoingApi, startEchoingMailServer } from './canary-places.ts';
import { connectingEnv, connectionRig } from './connection-rig.ts';

const program = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const run = promisify(execFile);
const canary = 'canary-4b1f-"quoted"-ä-of-this-test';
/** S3 sends its key id and its token in headers, which are ASCII. */
const plainCanary = 'canary-4b1f-plain-of-this-test';
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
  const [api, mail] = [await startEchoingApi({ cert, key }, stop), await startEchoingMailServer({ cert, key }, stop)];
  const sshd: OpensshServer = stop.use(await startOpensshServer());
  const ftp = stop.use(await startProftpd());
  const gnupg = stop.use(await startGnupg());
  const pgp = await gnupg.generate('canary@acme.test', 'ecc', { passphrase: canary });
  forms.push(...[sshd.privateKey, pgp.privateKey].map((armored) => armored.split('\n')[3] ?? ''));
  await rig.setSecret('plain-canary', plainCanary);
  await rig.setSecret('pgp', pgp.privateKey);
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
  const ftps = { type: 'ftps', host: 'localhost', password };
  const keys = {
    accessKeyId: 'secret://plain-canary',
    secretAccessKey: password,
    sessionToken: 'secret://plain-canary',
  };
  const s3 = { type: 's3', bucket: 'bucket', pathStyle: true, ...keys };
  const webhook = (path: string) => ({ uses: 'webhook', with: { connection: 'signed', path, event: 'e', data: '{}' } });
  const sign = (key: string) => ({ uses: 'pgp-sign', with: { source: '/outbox/file', target: '/outbox/signed', key } });
  await rig.configure(
    [
      { ...http, name: 'basic', username: 'user', password },
      { ...http, name: 'bearer', bearerToken: password },
      { ...http, name: 'signed', signingKey: password },
      { ...sftp, name: 'sftp-password', password },
      { ...sftp, name: 'sftp-damaged-key', privateKey: password },
      { ...sftp, name: 'sftp-passphrase', privateKey: 'secret://key', passphrase: password },
      { ...sftp, name: 'sftp-dead', password, port: 1 },
      { ...ftps, name: 'ftps', port: ftp.port, username: ftp.userName, certificateAuthorities: ftp.certificate },
      { ...s3, name: 's3', endpoint: `https://localhost:${api}`, certificateAuthorities: cert },
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
      'fails-ftps': { ...push('ftps'), uses: 'ftps-push' },
      'fails-s3': { ...push('s3'), uses: 's3-push' },
      'fails-webhook': webhook('/fail'),
      'works-webhook': webhook(''),
      'works-pgp': sign('locked'),
      'fails-pgp-key': sign('damaged'),
      'fails-pgp-passphrase': sign('other-passphrase'),
      'fails-mail': { uses: 'send-email', with: { connection: 'mail', to: 'x@y.zz', subject: 's', text: 't' } },
    },
    {
      pgpKeys: [
        { name: 'locked', publicKey: pgp.publicKey, privateKey: 'secret://pgp', passphrase: password },
        { name: 'damaged', publicKey: pgp.publicKey, privateKey: password },
        {
          name: 'other-passphrase',
          publicKey: pgp.publicKey,
          privateKey: 'secret://pgp',
          passphrase: 'secret://plain-canary',
        },
      ],
    },
  );
  await rig.platform.deliver('/outbox/file', Buffer.from('content'));
}, 120_000);
afterAll(() => stop.disposeAsync());

/** What the interface answers about the jobs, the deliveries and the configuration. */
async function answersOfInterface(): Promise<string> {
  const { client, admin: bearer } = rig.manager;
  const configuration = ['client-connections', 'pgp-keys', 'workflow-templates'];
  const paths = [
    ...configuration.map((list) => `/platform-application/api/v1/${list}`),
    '/job-manager/webhook-deliveries',
    '/job-manager/webhook-deliveries/1',
    '/job-manager/jobs',
  ];
  const answers = await Promise.all(paths.map((path) => client.get(path, { bearer })));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return answers.map(({ text }) => text).join('\n');
}

/** What commands print to operators. */
async function outputOfCommands(): Promise<string> {
  const env = { DATABASE_URL: urlAs('operator', rig.platform.database.url), SECRET_KEYS: connectingEnv.SECRET_KEYS };
  const waybill = async (...args: string[]) => (await run(process.execPath, [program, ...args], { env })).stdout;
  const printed = [await waybill('secret', 'list'), await waybill('ssh-key', 'list'), await waybill('pgp-key', 'list')];
  expect(printed[0]).toContain('pgp');
  return printed.join('\n');
}

it('never lets a secret out: not into tables, Redis, logs, the interface or the details of jobs, even if the partner echoes it', async () => {
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
    ['fails-ftps', 'ERROR'],
    ['fails-s3', 'ERROR'],
    ['fails-webhook', 'ERROR'],
    ['works-webhook', 'COMPLETED'],
    ['works-pgp', 'COMPLETED'],
    ['fails-pgp-key', 'ERROR'],
    ['fails-pgp-passphrase', 'ERROR'],
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
    answers: await answersOfInterface(),
    commands: await outputOfCommands(),
    tables: await everyRow(rig.platform),
    redis: await everyKey(rig.platform, logger),
  };
  expect(everything.logs).toContain('step failed');
  for (const [place, text] of Object.entries(everything)) {
    for (const form of forms) expect(text.includes(form), `${place} holds ${form}`).toBe(false);
  }
});
