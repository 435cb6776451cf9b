import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** An Ed25519 key pair as OpenSSH keeps it. */
export interface SshKeyPair {
  /** The private key file, unencrypted (OpenSSH PROTOCOL.key). */
  privateKey: string;
  /** One line: `ssh-ed25519 <base64> <comment>`. */
  publicKey: string;
}

const keyType = 'ssh-ed25519';
const cipherBlockBytes = 8;

/** Generates a key pair that the OpenSSH client accepts, without ssh-keygen. */
export function generateSshKeyPair(comment: string): SshKeyPair {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicBytes = Buffer.from(x ?? '', 'base64url');
  const seed = Buffer.from(d ?? '', 'base64url');

  const publicBlob = Buffer.concat([sshString(keyType), sshString(publicBytes)]);
  const check = randomBytes(4);
  const secret = pad(
    Buffer.concat([check, check, publicBlob, sshString(Buffer.concat([seed, publicBytes])), sshString(comment)]),
  );
  const unencrypted = [sshString('none'), sshString('none'), sshString('')];
  const oneKey = Buffer.from([0, 0, 0, 1]);
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...unencrypted,
    oneKey,
    sshString(publicBlob),
    sshString(secret),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/gu) ?? [];
  return {
    privateKey: ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n'),
    publicKey: `${keyType} ${publicBlob.toString('base64')} ${comment}`,
  };
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
