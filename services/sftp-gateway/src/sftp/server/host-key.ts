import type { KeyRole } from '@waybill/signing-keys/key-set';
import ssh2 from 'ssh2';
import type { ParsedKey } from 'ssh2';
import { sshSignatureOf } from '../ssh2/ssh2-internals.ts';

/** A key of the server. */
export interface HostKey {
  /**
   * `active` keys sign key exchanges; `next` and `previous` ones are only shown to clients that have logged in, so that
   * they know them before and keep them until after a rotation.
   */
  readonly role: KeyRole;
  /** OpenSSH's or PEM format, without a passphrase. */
  readonly privateKey: string;
  /** As in RFC 4253, section 6.6: `ssh-rsa` names the key here, not a signature with SHA-1. */
  readonly type: ParsedKey['type'];
  readonly publicBlob: Buffer;
  /** A signature blob of RFC 4253, section 6.6; `rsaAlgorithm` is how an RSA key signs. */
  sign(data: Buffer, rsaAlgorithm: RsaAlgorithm): Buffer;
}

/** How RSA keys sign: never with SHA-1. */
export type RsaAlgorithm = 'rsa-sha2-256' | 'rsa-sha2-512';

const leastRsaBlobBytes = 256;

/** @throws Error if `text` is not a private key that a server may have */
export function parseHostKey(text: string): Omit<HostKey, 'role'> {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) throw key;
  if (!key.isPrivateKey()) throw new Error('it is a public one');
  const { type } = key;
  const publicBlob = key.getPublicSSH();
  if (type === 'ssh-dss') throw new Error('DSA keys are not secure');
  if (type === 'ssh-rsa' && publicBlob.length < leastRsaBlobBytes) throw new Error('RSA keys need 2048 bits or more');
  return {
    privateKey: text,
    type,
    publicBlob,
    sign: (data, rsaAlgorithm) => {
      const isRsa = type === 'ssh-rsa';
      const signature = isRsa ? key.sign(data, rsaAlgorithm === 'rsa-sha2-256' ? 'sha256' : 'sha512') : key.sign(data);
      return sshString(isRsa ? rsaAlgorithm : type, sshSignatureOf(signature, type));
    },
  };
}

/** Each part preceded by its length (RFC 4251, section 5). */
export function sshString(...parts: (Buffer | string)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
