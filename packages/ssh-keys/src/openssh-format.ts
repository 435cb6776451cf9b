import { randomBytes, type JsonWebKey, type KeyObject } from 'node:crypto';

/** A key pair as OpenSSH keeps it. */
export interface SshKeyPair {
  /** The private key file, unencrypted (OpenSSH's PROTOCOL.key). */
  readonly privateKey: string;
  /** One line: `<type> <base64> <comment>`, without the comment if it is empty. */
  readonly publicKey: string;
}

const cipherBlockBytes = 8;

/** Writes a private key of OpenSSL (Ed25519, ECDSA on a NIST curve, or RSA) in OpenSSH's format, without a passphrase. */
export function inOpensshFormat(key: KeyObject, comment: string): SshKeyPair {
  const { type, publicParts, privateParts } = partsOf(key.export({ format: 'jwk' }));
  const publicBlob = Buffer.concat([type, ...publicParts].map(sshString));
  const check = randomBytes(4);
  const secret = pad(Buffer.concat([check, check, ...[type, ...privateParts, comment].map(sshString)]));
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(sshString),
    Buffer.from([0, 0, 0, 1]), // the number of keys
    sshString(publicBlob),
    sshString(secret),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/gu) ?? [];
  return {
    privateKey: ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n'),
    publicKey: `${type} ${publicBlob.toString('base64')} ${comment}`.trimEnd(),
  };
}

/** The type of a key, and its parts in the order of RFC 8709, RFC 5656 and RFC 4253, section 6.6. */
interface KeyParts {
  readonly type: string;
  readonly publicParts: readonly (Buffer | string)[];
  readonly privateParts: readonly (Buffer | string)[];
}

const curves: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' };

function partsOf(jwk: JsonWebKey): KeyParts {
  const bytes = (field: 'x' | 'y' | 'd' | 'n' | 'e' | 'p' | 'q' | 'qi'): Buffer =>
    Buffer.from(jwk[field] ?? '', 'base64url');
  const number = (field: 'd' | 'n' | 'e' | 'p' | 'q' | 'qi'): Buffer => mpint(bytes(field));
  if (jwk.kty === 'OKP') {
    const [point, seed] = [bytes('x'), bytes('d')];
    return { type: 'ssh-ed25519', publicParts: [point], privateParts: [point, Buffer.concat([seed, point])] };
  }
  if (jwk.kty === 'RSA') {
    const privateParts = [number('n'), number('e'), number('d'), number('qi'), number('p'), number('q')];
    return { type: 'ssh-rsa', publicParts: [number('e'), number('n')], privateParts };
  }
  const curve = curves[jwk.crv ?? ''];
  if (curve === undefined) throw new Error(`There are no SSH keys on the curve ${jwk.crv}`);
  const publicParts = [curve, Buffer.concat([Buffer.of(4), bytes('x'), bytes('y')])];
  return { type: `ecdsa-sha2-${curve}`, publicParts, privateParts: [...publicParts, number('d')] };
}

/** A positive number without needless zero bytes, whose highest bit is not that of the sign (RFC 4251, section 5). */
function mpint(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const least = first === -1 ? Buffer.alloc(0) : bytes.subarray(first);
  return (least[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), least]) : least;
}

/** `string` of RFC 4251, section 5: length, then the bytes. */
function sshString(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Fills up to the block of the cipher with 1, 2, 3, ... */
function pad(secret: Buffer): Buffer {
  const missing = (cipherBlockBytes - (secret.length % cipherBlockBytes)) % cipherBlockBytes;
  return Buffer.concat([secret, Buffer.from(Array.from({ length: missing }, (_, index) => index + 1))]);
}
