import { createPrivateKey, type KeyObject } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import ssh2 from 'ssh2';
import { inOpensshFormat, type SshKeyPair } from './openssh-format.ts';

const rsaBits = { least: 2_048, most: 16_384 } as const;

/**
 * Reads a private key in OpenSSH's format, PEM (also PKCS #8) or PuTTY's format, and writes it in OpenSSH's format without its
 * passphrase: as a secret it is encrypted anyway.
 * @throws CodedError `key_unusable`, without any of its bytes; `variable` names where the passphrase comes from
 */
export function importSshKey(
  text: string,
  { passphrase, variable, comment }: { passphrase?: string | undefined; variable: string; comment: string },
): SshKeyPair {
  if (text.split(/^-----BEGIN |^PuTTY-User-Key-File-/mu).length > 2) refuse('holds several keys in place of one');
  const unlocking = { passphrase, variable };
  const key = /^-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----/mu.test(text)
    ? readPkcs8(text, unlocking)
    : readOther(text, unlocking);
  checkStrength(key);
  return inOpensshFormat(key, comment);
}

interface Unlocking {
  readonly passphrase: string | undefined;
  readonly variable: string;
}

function readPkcs8(text: string, unlocking: Unlocking): KeyObject {
  const isEncrypted = text.includes('BEGIN ENCRYPTED');
  if (isEncrypted && unlocking.passphrase === undefined) refuseLocked(unlocking);
  try {
    return createPrivateKey({ key: text, ...(isEncrypted && { passphrase: unlocking.passphrase }) });
  } catch {
    return isEncrypted
      ? refuse(`is damaged, or has another passphrase than ${unlocking.variable}`)
      : refuseUnreadable();
  }
}

/** The messages of ssh2 that tell why a key cannot be unlocked. */
const locked = /passphrase given/u;
const wrong = /bad passphrase|malformed|integrity check/iu;

function readOther(text: string, unlocking: Unlocking): KeyObject {
  const parsed = ssh2.utils.parseKey(text, unlocking.passphrase);
  if (parsed instanceof Error) {
    if (locked.test(parsed.message)) refuseLocked(unlocking);
    const isWrong = unlocking.passphrase !== undefined && wrong.test(parsed.message);
    return isWrong ? refuse(`is damaged, or has another passphrase than ${unlocking.variable}`) : refuseUnreadable();
  }
  if (!parsed.isPrivateKey()) return refuse('is a public one: give the file without .pub');
  if (parsed.type === 'ssh-dss') return refuse('is a DSA key, which is not secure: use Ed25519');
  try {
    return createPrivateKey(parsed.getPrivatePEM());
  } catch {
    return refuseUnreadable();
  }
}

const curves: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

function checkStrength({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): void {
  if (type === 'ed25519') return;
  if (type === 'ec' && curves.has(details?.namedCurve)) return;
  if (type === 'dsa') refuse('is a DSA key, which is not secure: use Ed25519');
  if (type !== 'rsa') refuse('is neither Ed25519 nor RSA nor ECDSA on a NIST curve: SSH servers do not accept it');
  const bits = details?.modulusLength ?? 0;
  if (bits < rsaBits.least) refuse(`is an RSA key of ${bits} bits: it needs ${rsaBits.least} or more`);
  if (bits > rsaBits.most) refuse(`is an RSA key of ${bits} bits: SSH servers accept at most ${rsaBits.most}`);
}

function refuseLocked({ variable }: Unlocking): never {
  refuse(`needs its passphrase: set ${variable}`);
}

function refuseUnreadable(): never {
  refuse("cannot be read: it is not in OpenSSH's format, PEM or PuTTY's format, or is damaged");
}

function refuse(reason: string): never {
  throw new CodedError('key_unusable', { detail: `The private key ${reason}` });
}
