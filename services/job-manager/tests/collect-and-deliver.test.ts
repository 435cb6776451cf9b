import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { generatePgpKey } from '@waybill/pgp/generate-pgp-key';
import { type Clamd, startClamd } from '@waybill/test-kit/clamav/start-clamd';
import { type Gnupg, type GnupgKey, startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';
import { makeZip } from './made-archives.ts';
import { readRecipe, recipeText } from './read-recipe.ts';
import { type RecipeCounterparts, startRecipeCounterparts } from './recipe-counterparts.ts';

const heading = 'Collect, decrypt, scan, unpack, convert, deliver and report';
const rig = connectionRig();
const stop = new AsyncDisposableStack();
let acme: OpensshServer;
let gnupg: Gnupg;
let signer: GnupgKey;
let clamd: Clamd;
let counterparts: RecipeCounterparts;
let globexId: string;

beforeAll(async () => {
  acme = stop.use(await startOpensshServer());
  gnupg = stop.use(await startGnupg());
  clamd = stop.use(await startClamd());
  counterparts = stop.use(await startRecipeCounterparts());
  signer = await gnupg.generate('files@acme.test', 'ecc');
  const own = await generatePgpKey({ kind: 'ecc', user: { name: 'Waybill', email: 'own@waybill.test' }, days: 100 });
  await gnupg.add(own.publicKey);
  await rig.setSecret('own-pgp', own.privateKey);
  await rig.setSecret('acme-key', acme.privateKey);
  await rig.setSecret('hook-key', 'the key of the hooks');
  const at = { host: '127.0.0.1' };
  const recipe = await readRecipe(heading, {
    connections: {
      'acme-sftp': { ...at, port: acme.port, username: acme.userName, hostKeys: [acme.hostKey] },
      scanner: { ...at, port: clamd.port },
      hooks: { url: `http://127.0.0.1:${counterparts.httpPort}/hooks` },
      mail: { ...at, port: counterparts.smtpPort, security: 'none', username: undefined, password: undefined },
    },
    texts: {
      "'${OWN_PGP_KEY}'": JSON.stringify(own.publicKey),
      "'${ACME_PGP_KEY}'": JSON.stringify(signer.publicKey),
      'source: /outgoing/': `source: ${acme.folder}/`,
      'cron: 0 * * * *': "cron: '* * * * *'",
    },
  });
  await rig.platform.apply(recipe);
  const directory = openDirectory({ db: rig.platform.db });
  for (const { name, folders } of recipe.actors.flatMap(({ virtualFileSystems }) => virtualFileSystems)) {
    const { id } = existing(await directory.findVfsByName(name));
    await rig.platform.filebox.ensureFolders(id, folders.map(parseVirtualPath));
  }
  globexId = existing(await directory.findVfsByName('globex-files')).id;
}, 180_000);
afterAll(() => stop.disposeAsync());

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

    const { requests, mails } = counterparts;
    const [hook] = requests;
    expect(requests).toHaveLength(1);
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = existing(hook).headers;
    const mac = createHmac('sha256', 'the key of the hooks').update(`${String(id)}.${String(time)}.${hook?.body}`);
    expect(signature).toBe(`v1,${mac.digest('base64')}`);
    expect(hook?.body).toContain('a.csv');

    await waitFor(() => mails.length === 3, { what: 'a summary and two alerts' });
    const text = mails.join('\n');
    expect(text).toContain('2 files of good.pgp');
    expect(text).toMatch(/unsigned\.pgp: decrypt: .*not signed/u);
    expect(text).toMatch(/infected\.pgp: scan: .*infected/u);
  },
);

it('is the example of the README, which leaves parts of it out', async () => {
  const readme = await readFile(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
  const example = [...readme.matchAll(/```yaml\n([\s\S]*?)```/gu)].map(([, text = '']) => text).join('# ...\n');
  const recipe = await recipeText(heading);
  const parts = example.split(/^ *# \.\.\.\n/mu).filter((part) => part !== '');
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(recipe).toContain(`\n${part}`);
  for (const task of [
    'sftp-pull',
    'pgp-decrypt',
    'virus-scan',
    'unzip',
    'convert-charset',
    'deliver',
    'webhook',
    'send-email',
  ]) {
    expect(example).toContain(`uses: ${task}\n`);
  }
  expect(example).toMatch(/cron: 0 \* \* \* \*/u);
  expect(example).toContain('/failed/');
});
