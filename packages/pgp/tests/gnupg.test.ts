import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { type Gnupg, type GnupgKey, startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decryptContent } from '../src/decrypt-content.ts';
import { encryptContent, signContent } from '../src/encrypt-content.ts';
import { generatePgpKey } from '../src/generate-pgp-key.ts';
import { describePublicKey } from '../src/pgp-key.ts';
import { verifyContent } from '../src/verify-content.ts';
import { collect, inPieces, ownKey, partnerKey } from './run-pgp.ts';

const stop = new AsyncDisposableStack();
let gnupg: Gnupg;
const keys = {} as Record<'rsa' | 'ecc' | 'partner', GnupgKey>;

beforeAll(async () => {
  gnupg = stop.use(await startGnupg());
  keys.rsa = await gnupg.generate('rsa@own.test', 'rsa');
  keys.ecc = await gnupg.generate('ecc@own.test', 'ecc');
  keys.partner = await gnupg.generate('partner@acme.test', 'ecc');
}, 120_000);
afterAll(() => stop.disposeAsync());

const contents = [
  ['nothing', Buffer.alloc(0)],
  ['a byte', Buffer.from('x')],
  ['text with both line ends', Buffer.from('one\r\ntwo\nthree \t\n')],
  ['300 KB that cannot be compressed', randomBytes(300_000)],
  ['3 MB that can be compressed', Buffer.alloc(3_000_000, 'row;')],
] as const;

describe.each(['rsa', 'ecc'] as const)('with an own key of the kind %s', (kind) => {
  it.each(contents)('GnuPG decrypts and verifies what is encrypted here: %s', async (_, content) => {
    for (const [armor, compress] of [
      [false, false],
      [true, true],
    ] as const) {
      const order = { recipients: [partnerKey(keys.partner)], signer: ownKey(keys[kind]), armor, compress };
      const { bytes } = await collect(encryptContent(inPieces(content), order));
      expect(bytes.toString('latin1').startsWith('-----BEGIN PGP MESSAGE-----')).toBe(armor);
      const decrypted = await gnupg.run(['--status-fd', '2', '--decrypt'], bytes);
      expect(decrypted.out.equals(content)).toBe(true);
      expect(decrypted.err).toContain(`VALIDSIG ${keys[kind].fingerprint}`);
    }
  });

  it.each(contents)('decrypts and verifies what GnuPG encrypts: %s', async (_, content) => {
    for (const how of [
      ['-z', '0'],
      ['--compress-algo', 'zip', '--armor'],
      ['--compress-algo', 'zlib'],
      ['--compress-algo', 'bzip2'],
    ]) {
      const args = [...how, '-r', keys[kind].user, '-u', keys.partner.user, '--sign', '--encrypt'];
      const { out } = await gnupg.run(args, content);
      const order = { keys: [ownKey(keys[kind])], signers: [partnerKey(keys.partner)] };
      const { bytes, result } = await collect(decryptContent(inPieces(out), order));
      expect(bytes.equals(content)).toBe(true);
      expect(result).toMatchObject({ signer: 'partner@acme.test', fingerprint: keys.partner.fingerprint });
    }
  });

  it('signs so that GnuPG verifies: detached, and with the content', async () => {
    await using folder = await createTestFolder();
    const content = randomBytes(200_000);
    for (const armor of [false, true]) {
      const detached = await collect(
        signContent(inPieces(content), { signer: ownKey(keys[kind]), armor, detached: true }),
      );
      const [file, signature] = [join(folder.path, 'content'), join(folder.path, 'signature')];
      await writeFile(file, content);
      await writeFile(signature, detached.bytes);
      expect((await gnupg.run(['--status-fd', '2', '--verify', signature, file])).err).toContain('VALIDSIG');
      const inline = await collect(
        signContent(inPieces(content), { signer: ownKey(keys[kind]), armor, detached: false }),
      );
      expect((await gnupg.run(['--decrypt'], inline.bytes)).out.equals(content)).toBe(true);
    }
  });

  it('verifies what GnuPG signs: detached, and with the content', async () => {
    const content = randomBytes(200_000);
    const signers = [partnerKey(keys.rsa), partnerKey(keys.ecc)];
    for (const armor of [[], ['--armor']]) {
      const detached = await gnupg.run([...armor, '-u', keys[kind].user, '--detach-sign'], content);
      const signature = detached.out.toString('base64');
      const checked = await collect(verifyContent(inPieces(content), { signers, signature }));
      expect(checked.result['signer']).toBe(keys[kind].user);
      expect(checked.bytes.equals(content)).toBe(true);
      const inline = await gnupg.run([...armor, '-u', keys[kind].user, '--sign'], content);
      const opened = await collect(verifyContent(inPieces(inline.out), { signers }));
      expect(opened.bytes.equals(content)).toBe(true);
    }
  });
});

it('works with several recipients, several signers, hidden recipients and a passphrase', async () => {
  const locked = await gnupg.generate('locked@own.test', 'ecc', { passphrase: 'long and secret' });
  const all = ['-r', keys.rsa.user, '-r', locked.user, '-u', keys.partner.user, '--sign', '--encrypt'];
  for (const args of [all, ['--throw-keyids', ...all], ['-u', keys.ecc.user, ...all]]) {
    const { out } = await gnupg.run(args, Buffer.from('for two'));
    for (const own of [ownKey(keys.rsa), ownKey(locked, 'long and secret')]) {
      const order = { keys: [ownKey(keys.ecc), own], signers: [partnerKey(keys.partner)] };
      expect((await collect(decryptContent(inPieces(out), order))).bytes.toString()).toBe('for two');
    }
  }
  const made = await collect(
    encryptContent(inPieces(Buffer.from('for both')), {
      recipients: [partnerKey(keys.rsa), partnerKey(keys.partner)],
      armor: false,
      compress: false,
    }),
  );
  expect((await gnupg.run(['--decrypt'], made.bytes)).out.toString()).toBe('for both');
});

it.each(['ecc', 'rsa'] as const)(
  'generates keys that GnuPG takes: %s',
  async (kind) => {
    const user = { name: 'Waybill', email: `${kind}@generated.test` };
    const pair = await generatePgpKey({ kind, user, days: 30 });
    await gnupg.add(pair.publicKey);
    const { out } = await gnupg.run(['-r', user.email, '--encrypt'], Buffer.from('hello'));
    const own = { name: 'own', ...pair };
    expect((await collect(decryptContent(inPieces(out), { keys: [own], signers: [] }))).bytes.toString()).toBe('hello');
    const signed = await collect(
      signContent(inPieces(Buffer.from('signed')), { signer: own, armor: true, detached: false }),
    );
    expect((await gnupg.run(['--decrypt'], signed.bytes)).out.toString()).toBe('signed');
    const facts = await describePublicKey(pair.publicKey, 'own');
    expect(facts).toMatchObject({ users: [`Waybill <${user.email}>`], canEncrypt: true, canSign: true });
    const days = ((facts.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThanOrEqual(30);
  },
  120_000,
);
