import { createCipheriv, randomBytes } from 'node:crypto';
import { type Gnupg, type GnupgKey, startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { createMessage, encryptSessionKey, generateSessionKey, readKey } from 'openpgp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decryptContent } from '../src/decrypt-content.ts';
import { encryptContent, signContent } from '../src/encrypt-content.ts';
import { describePublicKey } from '../src/pgp-key.ts';
import { verifyContent } from '../src/verify-content.ts';
import { collectStream, inPieces, ownKey, partnerKey, refusalOf } from './run-pgp.ts';

const stop = new AsyncDisposableStack();
let gnupg: Gnupg;
const keys = {} as Record<'own' | 'partner' | 'stranger' | 'expired', GnupgKey>;

beforeAll(async () => {
  gnupg = stop.use(await startGnupg());
  for (const name of ['own', 'partner', 'stranger'] as const) {
    keys[name] = await gnupg.generate(`${name}@keys.test`, 'ecc');
  }
  keys.expired = await gnupg.generate('expired@keys.test', 'ecc', { validity: 'seconds=1' });
}, 120_000);
afterAll(() => stop.disposeAsync());

const content = randomBytes(150_000);
const decrypt = (message: Uint8Array, own = keys.own, signers = [keys.partner]): Promise<string> =>
  refusalOf(decryptContent(inPieces(message, 20_000), { keys: [ownKey(own)], signers: signers.map(partnerKey) }));
const encrypted = async (...how: string[]): Promise<Buffer> =>
  (await gnupg.run(['-z', '0', '-r', keys.own.user, ...how, '--encrypt'], content)).out;
const signed = (): Promise<Buffer> => encrypted('-u', keys.partner.user, '--sign');

/** What a packet of the type 9 holds (RFC 4880, section 5.7): CFB that begins again after the random prefix. */
function legacyCfb(key: Buffer, plain: Buffer): Buffer {
  const random = randomBytes(16);
  const prefix = createCipheriv('aes-256-cfb', key, Buffer.alloc(16)).update(
    Buffer.concat([random, random.subarray(14)]),
  );
  return Buffer.concat([prefix, createCipheriv('aes-256-cfb', key, prefix.subarray(2)).update(plain)]);
}

describe('a message that was changed on its way', () => {
  it('is refused for every bit that is flipped, wherever it is', async () => {
    const message = await signed();
    expect(await decrypt(message)).toBe('accepted 150000 bytes');
    // Every byte of the headers, and some of each part of the content, of its signature and of the code at its end.
    const head = Array.from({ length: 130 }, (_, at) => at);
    const body = Array.from({ length: 10 }, (_, n) => 130 + Math.floor(((message.length - 330) / 10) * n));
    const tail = Array.from({ length: 50 }, (_, n) => message.length - 200 + 4 * n);
    for (const at of [...head, ...body, ...tail]) {
      const changed = Buffer.from(message);
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
      const refusal = await decrypt(changed);
      // The id of the recipient key is a hint that is not protected, nor is the length in bits of a number: the content is the same.
      if (refusal.startsWith('accepted 150000')) expect(at).toBeLessThan(15);
      else expect(refusal).toMatch(/^(?:decryption_failed|signature_invalid): /u);
    }
  }, 300_000);

  it('is refused if its end is missing, wherever it ends', async () => {
    const message = await signed();
    for (const length of [0, 1, 2, 50, 94, 95, 110, 1_000, 75_000, message.length - 100, message.length - 1]) {
      expect(await decrypt(message.subarray(0, length))).toMatch(/^(?:decryption_failed|signature_invalid): /u);
    }
    const armored = await encrypted('--armor', '-u', keys.partner.user, '--sign');
    for (const length of [10, 40, 1_000, armored.length - 200]) {
      expect(await decrypt(armored.subarray(0, length))).toMatch(/^(?:decryption_failed|signature_invalid): /u);
    }
  });

  it('is refused without integrity protection (MDC), although it could be decrypted', async () => {
    const encryptionKeys = await readKey({ armoredKey: keys.own.publicKey });
    const sessionKey = await generateSessionKey({ encryptionKeys });
    const header = await encryptSessionKey({ ...sessionKey, encryptionKeys, format: 'binary' });
    const plain = await createMessage({ binary: new Uint8Array(content) });
    const body = legacyCfb(Buffer.from(sessionKey.data), await collectStream(plain.write()));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    const message = Buffer.concat([header, Buffer.of(0xc9, 0xff), length, body]);
    expect(await decrypt(message, keys.own, [])).toMatch(/^decryption_failed: .*not authenticated/u);
  });
});

describe('a message with the wrong signature', () => {
  it('is refused unsigned, and signed by a key that is not accepted', async () => {
    expect(await decrypt(await encrypted())).toBe('signature_invalid: The file is not signed');
    const strange = await encrypted('-u', keys.stranger.user, '--sign');
    expect(await decrypt(strange)).toMatch(/^signature_invalid: .*which is none of partner@keys\.test$/u);
    expect(await decrypt(strange, keys.own, [])).toBe('accepted 150000 bytes');
  });

  it('is refused with a detached signature of other content, of nothing, and of garbage', async () => {
    const { out } = await gnupg.run(['-u', keys.partner.user, '--detach-sign'], content);
    const verify = (bytes: Buffer, signature: Buffer): Promise<string> =>
      refusalOf(
        verifyContent(inPieces(bytes), {
          signers: [partnerKey(keys.partner)],
          signature: signature.toString('base64'),
        }),
      );
    expect(await verify(content, out)).toBe('accepted 150000 bytes');
    for (const [bytes, signature] of [
      [Buffer.concat([content, Buffer.of(0)]), out],
      [content.subarray(1), out],
      [Buffer.alloc(0), out],
      [content, Buffer.alloc(0)],
      [content, out.subarray(0, -1)],
      [content, Buffer.from('this is no signature')],
      [content, randomBytes(200)],
    ] as const) {
      expect(await verify(bytes, signature)).toMatch(/^signature_invalid: /u);
    }
  });

  it('is refused if the content of a signed message was changed', async () => {
    const { out } = await gnupg.run(['-z', '0', '-u', keys.partner.user, '--sign'], content);
    const changed = Buffer.from(out);
    changed.writeUInt8((changed[50_000] ?? 0) ^ 1, 50_000);
    const signers = [partnerKey(keys.partner)];
    expect(await refusalOf(verifyContent(inPieces(out), { signers }))).toBe('accepted 150000 bytes');
    expect(await refusalOf(verifyContent(inPieces(changed), { signers }))).toMatch(/^signature_invalid: /u);
    expect(await refusalOf(verifyContent(inPieces(content), { signers }))).not.toMatch(/^accepted/u);
  });
});

describe('a key that does not fit', () => {
  it('is refused for a file that is encrypted for another one, naming it', async () => {
    expect(await decrypt(await signed(), keys.stranger)).toMatch(
      /^decryption_failed: .*encrypted for the key [0-9A-F]{16}/u,
    );
  });

  it.each([
    ['nothing', () => Buffer.alloc(0), 'The file is empty'],
    ['text', () => Buffer.from('hello, this is not encrypted\n'), ''],
    ['random bytes', () => Buffer.concat([Buffer.of(0xff), randomBytes(5_000)]), ''],
    ['the header of armor and silence', () => Buffer.from('-----BEGIN PGP MESSAGE-----\n\n'), ''],
    ['a public key', () => Buffer.from(keys.own.publicKey), ''],
  ])('is refused for %s', async (_, message, reason) => {
    const refusal = await decrypt(message());
    expect(refusal).toMatch(/^decryption_failed: /u);
    expect(refusal).toContain(reason);
  });

  it('is refused for a wrong or missing passphrase, and for the secret of another key', async () => {
    const locked = await gnupg.generate('locked@keys.test', 'ecc', { passphrase: 'right' });
    const order = { armor: false, detached: true };
    const sign = (signer: Parameters<typeof signContent>[1]['signer']): Promise<string> =>
      refusalOf(signContent(inPieces(content), { ...order, signer }));
    expect(await sign(ownKey(locked, 'right'))).toMatch(/^accepted/u);
    expect(await sign(ownKey(locked, 'wrong'))).toMatch(/^key_unusable: .*passphrase .* is wrong/u);
    expect(await sign(ownKey(locked))).toMatch(/^key_unusable: .*needs a passphrase/u);
    expect(await sign(partnerKey(locked))).toMatch(/^key_unusable: .*has no private key/u);
    expect(await sign({ ...ownKey(keys.own), publicKey: locked.publicKey })).toMatch(/^key_unusable: .*another key/u);
    expect(await sign({ ...ownKey(keys.own), privateKey: 'garbage' })).toMatch(/^key_unusable: .*not a private key/u);
  });

  it('encrypts for no expired or revoked key, and accepts no signature of one that had expired', async () => {
    const encrypt = (recipient: GnupgKey): Promise<string> =>
      refusalOf(
        encryptContent(inPieces(content), { recipients: [partnerKey(recipient)], armor: false, compress: false }),
      );
    await expect.poll(() => encrypt(keys.expired), { timeout: 20_000 }).toMatch(/^key_unusable: .*expired/u);
    const sign = signContent(inPieces(content), { signer: ownKey(keys.expired), armor: false, detached: true });
    expect(await refusalOf(sign)).toMatch(/^key_unusable: .*expired/u);
    expect(await describePublicKey(keys.expired.publicKey, 'x')).toMatchObject({ canEncrypt: false, canSign: false });
  });
});
