import { createHash, randomBytes } from 'node:crypto';
import { generatePgpKey, type PgpKeyPair } from '@waybill/pgp/generate-pgp-key';
import { type Gnupg, type GnupgKey, startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';
import type { ShownJob } from './start-test-job-manager.ts';

const rig = connectionRig();
const stop = new AsyncDisposableStack();
let gnupg: Gnupg;
let partner: GnupgKey;
let own: PgpKeyPair;

const paths = { source: '${{ variables.source }}', target: '${{ variables.target }}' };

beforeAll(async () => {
  gnupg = stop.use(await startGnupg());
  partner = await gnupg.generate('partner@acme.test', 'ecc');
  own = await generatePgpKey({ kind: 'ecc', user: { name: 'Waybill', email: 'own@waybill.test' }, days: 100 });
  await gnupg.add(own.publicKey);
  await rig.setSecret('own-pgp', own.privateKey);
  const decrypt = { ...paths, keys: 'own' };
  await rig.configure(
    [],
    {
      encrypt: { uses: 'pgp-encrypt', with: { ...paths, recipients: 'partner', signWith: 'own' } },
      'encrypt-for': { uses: 'pgp-encrypt', with: { ...paths, recipients: '${{ variables.recipient }}' } },
      'encrypt-to-self': {
        uses: 'pgp-encrypt',
        with: { ...paths, recipients: 'own, partner', signWith: 'own', compress: 'true' },
      },
      decrypt: { uses: 'pgp-decrypt', with: { ...decrypt, signers: 'partner' } },
      'decrypt-own': { uses: 'pgp-decrypt', with: { ...decrypt, signers: 'own' } },
      'decrypt-any': { uses: 'pgp-decrypt', with: decrypt },
      'decrypt-without': { uses: 'pgp-decrypt', with: { ...decrypt, keys: 'without-secret' } },
      sign: { uses: 'pgp-sign', with: { ...paths, key: 'own', armor: 'true' } },
      verify: {
        uses: 'pgp-verify',
        with: { source: paths.source, signature: '${{ variables.signature }}', signers: 'partner,own' },
      },
    },
    {
      pgpKeys: [
        { name: 'own', publicKey: own.publicKey, privateKey: 'secret://own-pgp' },
        { name: 'partner', publicKey: partner.publicKey },
        { name: 'without-secret', publicKey: own.publicKey, privateKey: 'secret://never-set' },
      ],
    },
  );
}, 120_000);
afterAll(() => stop.disposeAsync());

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const outputsOf = (job: ShownJob): Readonly<Record<string, string>> => job.steps?.[0]?.outputs ?? {};
const read = async (path: string): Promise<Buffer> => {
  const content = await rig.platform.read(path);
  if (!content) throw new Error(`there is no ${path}`);
  return content;
};
const fromPartner = async (content: Buffer, ...args: string[]): Promise<Buffer> =>
  (await gnupg.run(['-r', 'own@waybill.test', ...args, '--encrypt'], content)).out;

describe('pgp-encrypt and pgp-decrypt', () => {
  it.each([0, 1, 1_000_000])('exchange a file of %i bytes with GnuPG, signed', async (size) => {
    const content = randomBytes(size);
    await rig.platform.deliver('/outbox/plain', content);
    const to = await rig.run('encrypt', 'COMPLETED', { source: '/outbox/plain', target: '/outbox/sent.pgp' });
    const sent = await read('/outbox/sent.pgp');
    expect(outputsOf(to)).toMatchObject({ path: '/outbox/sent.pgp', size: String(sent.length), sha256: sha256(sent) });
    const received = await gnupg.run(['--status-fd', '2', '--decrypt'], sent);
    expect(received.out.equals(content)).toBe(true);
    expect(received.err).toContain('GOODSIG');

    await rig.platform.deliver('/inbox/got.pgp', await fromPartner(content, '-u', partner.user, '--sign'));
    const from = await rig.run('decrypt', 'COMPLETED', { source: '/inbox/got.pgp', target: '/inbox/got' });
    expect((await read('/inbox/got')).equals(content)).toBe(true);
    expect(outputsOf(from)).toMatchObject({ signer: 'partner', signerFingerprint: partner.fingerprint });
  });

  it('writes nothing of a file that is not authentic, not signed or not complete, and does not try it again', async () => {
    const content = Buffer.alloc(2_000_000, 'row;');
    const signed = await fromPartner(content, '-z', '0', '-u', partner.user, '--sign');
    const flipped = Buffer.from(signed);
    flipped.writeUInt8((flipped[1_500_000] ?? 0) ^ 1, 1_500_000);
    for (const [name, message, reason] of [
      ['flipped', flipped, 'cannot be decrypted'],
      ['truncated', signed.subarray(0, 1_900_000), 'cannot be decrypted'],
      ['unsigned', await fromPartner(content), 'is not signed'],
      ['empty', Buffer.alloc(0), 'is empty'],
    ] as const) {
      await rig.platform.deliver(`/inbox/${name}.pgp`, message);
      const job = await rig.run('decrypt', 'ERROR', { source: `/inbox/${name}.pgp`, target: `/inbox/${name}` });
      expect(job.statusMessage).toContain(reason);
      expect(job.steps?.[0]?.attempts).toBe(1);
      expect(await rig.platform.read(`/inbox/${name}`)).toBeUndefined();
    }
  });

  it('decrypts unsigned files if no signers are given, and says so', async () => {
    await rig.platform.deliver('/inbox/any.pgp', await fromPartner(Buffer.from('unsigned')));
    const job = await rig.run('decrypt-any', 'COMPLETED', { source: '/inbox/any.pgp', target: '/inbox/any' });
    expect(outputsOf(job)['signer']).toBe('');
    expect(JSON.stringify(job.steps?.[0]?.log)).toContain('its signatures were not examined');
  });

  it('names a key that is not there, and a secret that is not', async () => {
    await rig.platform.deliver('/outbox/x', Buffer.from('x'));
    const variables = { source: '/outbox/x', target: '/outbox/y' };
    const unknown = await rig.run('encrypt-for', 'ERROR', { ...variables, recipient: 'partnr' });
    expect(unknown.statusMessage).toContain('has a PGP key "partnr"');
    const secret = await rig.run('decrypt-without', 'ERROR', variables);
    expect(secret.statusMessage).toContain('has no secret never-set');
  });

  it('never shows a private key', async () => {
    await rig.platform.deliver('/inbox/no.pgp', randomBytes(100));
    const job = await rig.run('decrypt', 'ERROR', { source: '/inbox/no.pgp', target: '/inbox/no' });
    const line = own.privateKey.split('\n')[4] ?? '';
    expect(line.length).toBeGreaterThan(40);
    expect(JSON.stringify(job)).not.toContain(line);
  });
});

describe('pgp-sign and pgp-verify', () => {
  it('make a signature beside a file, and find who has signed', async () => {
    const content = randomBytes(100_000);
    await rig.platform.deliver('/outbox/doc', content);
    await rig.run('sign', 'COMPLETED', { source: '/outbox/doc', target: '/outbox/doc.asc' });
    expect((await read('/outbox/doc.asc')).toString()).toMatch(/^-----BEGIN PGP SIGNATURE-----/u);
    const verified = await rig.run('verify', 'COMPLETED', { source: '/outbox/doc', signature: '/outbox/doc.asc' });
    expect(outputsOf(verified)).toMatchObject({ signer: 'own' });
    await rig.platform.deliver('/outbox/doc', Buffer.concat([content, Buffer.of(1)]));
    const refused = await rig.run('verify', 'ERROR', { source: '/outbox/doc', signature: '/outbox/doc.asc' });
    expect(refused.statusMessage).toContain('is not valid');
  });
});

it('shows when keys expire as a metric, for alerts', async () => {
  const { text } = await rig.manager.client.get('/metrics');
  const [, seconds] = /waybill_pgp_key_expiry_seconds\{key="own",owner="",[^}]*\} (\d+)/u.exec(text) ?? [];
  const days = (Number(seconds) * 1_000 - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(99);
  expect(days).toBeLessThanOrEqual(100);
});

it('keeps memory flat: 400 MB through encryption and decryption', async () => {
  const size = 400 * 1024 * 1024;
  await rig.platform.deliver('/outbox/big', Buffer.alloc(size));
  const before = process.memoryUsage().rss;
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  await rig.run('encrypt-to-self', 'COMPLETED', { source: '/outbox/big', target: '/outbox/big.pgp' });
  await rig.run('decrypt-own', 'COMPLETED', { source: '/outbox/big.pgp', target: '/outbox/big.2' });
  clearInterval(sampler);
  expect((peak - before) / 2 ** 20).toBeLessThan(300);
}, 240_000);
