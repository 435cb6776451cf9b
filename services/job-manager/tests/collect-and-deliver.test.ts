import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { generatePgpKey } from '@waybill/pgp/generate-pgp-key';
import { type Clamd, startClamd } from '@waybill/test-kit/clamav/start-clamd';
import { type Gnupg, type GnupgKey, startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';
import { makeZip } from './made-archives.ts';
import { testConfiguration } from './test-configuration.ts';

const rig = connectionRig();
const stop = new AsyncDisposableStack();
const mails: string[] = [];
const hooks: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let acme: OpensshServer;
let gnupg: Gnupg;
let signer: GnupgKey;
let clamd: Clamd;
let globexId: string;

const collect = {
  name: 'collect',
  steps: [
    {
      name: 'pull',
      uses: 'sftp-pull',
      with: { connection: 'acme-sftp', source: '${{ variables.from }}/*.pgp', folder: '/inbox', afterwards: 'delete' },
    },
  ],
};

const work = '/processing/${{ job.id }}';
const files = '${{ steps.unpack.outputs.paths }}';
const mail = { connection: 'mail', to: 'operations@example.org' };
const handOver = {
  name: 'hand-over',
  steps: [
    { name: 'folder', uses: 'make-folder', with: { path: work } },
    {
      name: 'decrypt',
      uses: 'pgp-decrypt',
      with: { source: '${{ file.path }}', target: `${work}/content.zip`, keys: ['own'], signers: ['acme'] },
    },
    { name: 'scan', uses: 'virus-scan', with: { connection: 'scanner', source: '${{ steps.decrypt.outputs.path }}' } },
    { name: 'unpack', uses: 'unzip', with: { source: '${{ steps.decrypt.outputs.path }}', folder: work } },
    {
      name: 'convert',
      uses: 'convert-charset',
      foreach: files,
      with: { source: '${{ item }}', target: '${{ item }}', from: 'windows-1252' },
    },
    {
      name: 'deliver',
      uses: 'deliver',
      foreach: files,
      with: { source: '${{ item }}', folder: 'globex-files:/inbox' },
    },
    {
      name: 'confirm',
      uses: 'webhook',
      with: { connection: 'hooks', event: 'files.delivered', data: { of: '${{ file.name }}', files } },
    },
    {
      name: 'summary',
      uses: 'send-email',
      with: { ...mail, subject: 'Delivered', text: '${{ steps.unpack.outputs.count }} files of ${{ file.name }}' },
    },
    { name: 'keep', uses: 'move', with: { source: '${{ file.path }}', target: '/done/${{ file.name }}' } },
  ],
  onError: [
    { name: 'set-aside', uses: 'move', with: { source: '${{ file.path }}', target: '/failed/${{ file.name }}' } },
    {
      name: 'alert',
      uses: 'send-email',
      with: { ...mail, subject: 'Failed', text: '${{ file.name }}: ${{ error.step }}: ${{ error.message }}' },
    },
  ],
  finally: [{ name: 'clear', uses: 'delete', with: { path: work, recursive: true, ifMissing: 'ignore' } }],
};

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const webhooks = createServer((request, response) => {
  void buffer(request).then((body) => {
    hooks.push({ headers: request.headers, body: body.toString() });
    response.end();
  });
});
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData: (stream, _session, done) => {
    stream.on('end', done);
    void buffer(stream).then((content) => mails.push(content.toString()));
  },
});

beforeAll(async () => {
  acme = stop.use(await startOpensshServer());
  gnupg = stop.use(await startGnupg());
  clamd = stop.use(await startClamd());
  signer = await gnupg.generate('files@acme.test', 'ecc');
  const own = await generatePgpKey({ kind: 'ecc', user: { name: 'Waybill', email: 'own@waybill.test' }, days: 100 });
  await gnupg.add(own.publicKey);
  await rig.setSecret('own-pgp', own.privateKey);
  await rig.setSecret('acme-key', acme.privateKey);
  await rig.setSecret('hook-key', 'the key of the hooks');
  const at = { host: '127.0.0.1' };
  const connections = [
    {
      ...at,
      name: 'acme-sftp',
      type: 'sftp',
      port: acme.port,
      username: acme.userName,
      privateKey: 'secret://acme-key',
      hostKeys: [acme.hostKey],
    },
    { ...at, name: 'scanner', type: 'clamav', port: clamd.port },
    {
      name: 'hooks',
      type: 'http',
      url: `http://127.0.0.1:${await listening(webhooks)}/hooks`,
      signingKey: 'secret://hook-key',
    },
    {
      ...at,
      name: 'mail',
      type: 'smtp',
      port: await listening(smtp.server),
      security: 'none',
      from: 'waybill@example.org',
    },
  ];
  await rig.platform.apply({
    ...testConfiguration,
    clientConnections: connections,
    pgpKeys: [
      { name: 'own', publicKey: own.publicKey, privateKey: 'secret://own-pgp' },
      { name: 'acme', publicKey: signer.publicKey },
    ],
    workflowTemplates: [collect, handOver],
    actors: actorsOf(acme.folder),
  });
  const directory = openDirectory({ db: rig.platform.db });
  const acmeId = existing(await directory.findVfsByName('acme-files')).id;
  globexId = existing(await directory.findVfsByName('globex-files')).id;
  await rig.platform.filebox.ensureFolders(acmeId, ['/inbox', '/processing', '/done', '/failed'].map(parseVirtualPath));
  await rig.platform.filebox.ensureFolders(globexId, [parseVirtualPath('/inbox')]);
}, 180_000);
afterAll(() => stop.disposeAsync());

/** Every hour there would be `0 * * * *`. */
function actorsOf(from: string) {
  const everyMinute = { type: 'Time', cron: '* * * * *', timeZone: 'Europe/Berlin' };
  const arrival = { type: 'NewFile', vfs: 'acme-files', virtualPath: '/inbox', filePattern: '*.pgp' };
  const grants = [{ vfs: 'globex-files', path: '/inbox', rights: ['upload'] }];
  return [
    {
      name: 'acme',
      type: 'Partner',
      virtualFileSystems: [{ name: 'acme-files', folders: ['/inbox', '/processing', '/done', '/failed'] }],
      contracts: [
        {
          name: 'reports',
          type: 'Mediation',
          actions: [
            { name: 'collect', trigger: everyMinute, vfs: 'acme-files', workflow: 'collect', variables: { from } },
            { name: 'hand-over', trigger: arrival, workflow: 'hand-over', grants },
          ],
        },
      ],
    },
    { name: 'globex', type: 'Partner', virtualFileSystems: [{ name: 'globex-files', folders: ['/inbox'] }] },
  ];
}

const seal = async (content: Buffer, ...args: string[]): Promise<Buffer> =>
  (await gnupg.run(['-r', 'own@waybill.test', ...args, '--encrypt'], content)).out;
const isStored = (path: string) => async () => (await rig.platform.read(path)) !== undefined;
/** The size of a file of globex, in bytes. */
const received = async (path: string): Promise<number | undefined> => {
  const entry = await rig.platform.filebox.find(globexId, parseVirtualPath(path));
  return entry?.kind === 'file' ? entry.size : undefined;
};

it(
  'collects, decrypts, scans, unpacks, converts, delivers, confirms and reports; what fails is set aside with an alert',
  { timeout: 300_000 },
  async () => {
    const zip = makeZip([
      { name: 'a.csv', data: Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x0a]) },
      { name: 'b.csv', data: Buffer.from('plain\n') },
    ]);
    const signed = ['-u', signer.user, '--sign'];
    await writeFile(join(acme.folder, 'good.pgp'), await seal(zip, ...signed));
    await writeFile(join(acme.folder, 'unsigned.pgp'), await seal(zip));
    await writeFile(join(acme.folder, 'infected.pgp'), await seal(clamd.virus, ...signed));
    await writeFile(join(acme.folder, 'other.txt'), 'not for us');

    await waitFor(isStored('/done/good.pgp'), { what: 'the good file to be done', timeoutMs: 200_000 });
    for (const name of ['unsigned', 'infected']) {
      await waitFor(isStored(`/failed/${name}.pgp`), { what: `${name} to be set aside`, timeoutMs: 60_000 });
    }
    // In UTF-8 the u with an umlaut has two bytes.
    expect(await received('/inbox/a.csv')).toBe(Buffer.byteLength('grün\n'));
    expect(await received('/inbox/b.csv')).toBe(Buffer.byteLength('plain\n'));

    const [hook] = hooks;
    expect(hooks).toHaveLength(1);
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = existing(hook).headers;
    const mac = createHmac('sha256', 'the key of the hooks').update(`${String(id)}.${String(time)}.${hook?.body}`);
    expect(signature).toBe(`v1,${mac.digest('base64')}`);
    expect(hook?.body).toContain('a.csv');

    await waitFor(() => mails.length === 3, { what: 'a summary and two alerts' });
    const text = mails.join('\n').replaceAll('=\r\n', '');
    expect(text).toContain('2 files of good.pgp');
    expect(text).toMatch(/unsigned\.pgp: decrypt: .*not signed/u);
    expect(text).toMatch(/infected\.pgp: scan: .*infected/u);
  },
);
