import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/** The signature types of signed notes that the witness knows: of a log, and of a witness. */
export const signatureTypes = { log: 1, cosignature: 4 } as const;

/** A public Ed25519 key with its name, as in a verifier key (C2SP signed-note). */
export interface VerifierKey {
  readonly name: string;
  /** The first 4 bytes of the key id, in hexadecimal. */
  readonly id: string;
  verify(text: string, signature: Buffer): boolean;
}

const form = /^([^\s+]+)\+([\da-f]{8})\+([\d+/A-Za-z]+={0,2})$/u;

/** Reads the verifier key of a log: `<name>+<key id>+<key>`. @throws Error with a sentence without its subject */
export function parseLogKey(text: string): VerifierKey {
  const [, name, id, encoded = ''] = form.exec(text) ?? [];
  if (name === undefined || id === undefined) throw new Error('is not a verifier key');
  const key = decodeBase64(encoded);
  if (key?.length !== 33 || key[0] !== signatureTypes.log) throw new Error('is not an Ed25519 key of a log (type 1)');
  const publicKey = key.subarray(1);
  if (keyId(name, signatureTypes.log, publicKey).toString('hex') !== id)
    throw new Error('has a key id that is not that of its key');
  const imported = importKey(publicKey);
  return { name, id, verify: (signed, signature) => verify(null, Buffer.from(signed), imported, signature) };
}

/** A verifier key as text. */
export function formatKey(name: string, type: number, publicKey: Buffer): string {
  const key = Buffer.concat([Buffer.from([type]), publicKey]).toString('base64');
  return `${name}+${keyId(name, type, publicKey).toString('hex')}+${key}`;
}

/** The 4 bytes with which a signature names its key. */
export function keyId(name: string, type: number, publicKey: Buffer): Buffer {
  const text = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([type]), publicKey]);
  return hash('sha256', text, 'buffer').subarray(0, 4);
}

/** The bytes of standard Base64; `undefined` if the text is not their only encoding. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function importKey(publicKey: Buffer): KeyObject {
  const x = publicKey.toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
