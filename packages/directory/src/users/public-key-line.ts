import { createHash } from 'node:crypto';

declare const publicKeyLineBrand: unique symbol;

/** `<type> <base64>`: a public key as in authorized_keys, without options and comment. */
export type PublicKeyLine = string & { readonly [publicKeyLineBrand]: true };

const form = /^(ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+(.*))?$/u;

/** The error in a line that looks like a public key. */
export interface DamagedKey {
  /** The name of the type for people, such as `Ed25519`. */
  readonly damaged: 'Ed25519' | 'ECDSA' | 'RSA';
}

/**
 * Reads a line of authorized_keys; its comment is dropped. `undefined` if it is not a key: unknown type, or options
 * before the key. The key is damaged if its blob does not have the format of its type (RFC 4253 section 6.6, RFC 5656
 * section 3.1, RFC 8709 section 4).
 */
export function readPublicKeyLine(text: string): PublicKeyLine | DamagedKey | undefined {
  const [, type, base64] = form.exec(text.trim()) ?? [];
  if (type === undefined || base64 === undefined) return undefined;
  const blob = Buffer.from(base64, 'base64');
  // Buffer ignores invalid characters.
  const isWhole = blob.toString('base64') === base64 && hasPartsOf(type, partsOf(blob) ?? []);
  if (isWhole) return `${type} ${base64}` as PublicKeyLine;
  if (type === 'ssh-ed25519') return { damaged: 'Ed25519' };
  return { damaged: type === 'ssh-rsa' ? 'RSA' : 'ECDSA' };
}

/** The same for a line whose key is not damaged; `undefined` for any other. */
export function parsePublicKeyLine(text: string): PublicKeyLine | undefined {
  const line = readPublicKeyLine(text);
  return typeof line === 'string' ? line : undefined;
}

/** Bytes of an uncompressed point, by curve. */
const pointBytes: Readonly<Record<string, number>> = { nistp256: 65, nistp384: 97, nistp521: 133 };

function hasPartsOf(type: string, [name, ...parts]: readonly Buffer[]): boolean {
  if (name?.toString('latin1') !== type) return false;
  const [first, second] = parts;
  if (type === 'ssh-ed25519') return parts.length === 1 && first?.length === 32;
  if (parts.length !== 2 || first === undefined || second === undefined) return false;
  if (type === 'ssh-rsa') return first.length > 0 && second.length > 0;
  const curve = type.replace('ecdsa-sha2-', '');
  return first.toString('latin1') === curve && second.length === pointBytes[curve] && second[0] === 4;
}

/** The strings of a blob (RFC 4251 section 5), each after its length; `undefined` if the blob ends within a string. */
function partsOf(blob: Buffer): Buffer[] | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    parts.push(blob.subarray(at + 4, end));
    at = end;
  }
  return parts;
}

/** The comment after the key in a line of authorized_keys, if any. */
export function commentOfPublicKeyLine(text: string): string | undefined {
  return form.exec(text.trim())?.[3]?.trim() || undefined;
}

/** The size of an RSA key; `undefined` for other types. */
export function rsaBitsOf(line: PublicKeyLine): number | undefined {
  const [type, base64 = ''] = line.split(' ');
  if (type !== 'ssh-rsa') return undefined;
  const [, , modulus] = partsOf(Buffer.from(base64, 'base64')) ?? [];
  const hex = modulus?.toString('hex').replace(/^0+/u, '') ?? '';
  return hex === '' ? 0 : BigInt(`0x${hex}`).toString(2).length;
}

/** The fingerprint of a public key as `ssh-keygen -l` shows it: `SHA256:` and base64. */
export function keyFingerprint(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/u, '')}`;
}
