import { createPrivateKey, type KeyObject } from 'node:crypto';
import ssh2 from 'ssh2';
import { assertPairBelongsTogether } from './check-pair.ts';
import { refuse, refuseUnreadable } from './key-refusal.ts';
import { inOpensshFormat, type SshKeyPair } from './openssh-format.ts';
import { readPkcs8 } from './read-pkcs8.ts';

const rsaBits = { least: 2_048, most: 16_384 } as const;

/** What else an import needs. `variable`: where the passphrase comes from, for the errors. */
export interface KeyImport {
  readonly passphrase?: string | undefined;
  readonly variable: string;
  readonly comment: string;
}

/**
 * Reads a private key in OpenSSH's format, PEM (also PKCS #8) or PuTTY's format, and writes it in OpenSSH's format without its
 * passphrase: as a secret it is encrypted anyway. The public key is that which verifies what the private key signs.
 * @throws KeyRefusal `key_unusable`, without any of its bytes
 */
export function importSshKey(text: string, { passphrase, variable, comment }: KeyImport): SshKeyPair {
  if (text.split(/^-----BEGIN |^PuTTY-User-Key-File-/mu).length > 2) refuse('holds several keys in place of one');
  if (/^PuTTY-User-Key-File-3/mu.test(text)) {
    refuse("is in version 3 of PuTTY's format: export it in OpenSSH's format, or in version 2");
  }
  const unlocking = { passphrase, variable };
  const key = openPkcs8(text, unlocking) ?? readOther(text, unlocking);
  checkStrength(key);
  assertPairBelongsTogether(key);
  return inOpensshFormat(key, comment);
}

interface Unlocking {
  readonly passphrase: string | undefined;
  readonly variable: string;
}

function openPkcs8(text: string, unlocking: Unlocking): KeyObject | undefined {
  const read = readPkcs8(text);
  if (!read) return undefined;
  const isEncrypted = read.iterations !== undefined;
  if (isEncrypted && unlocking.passphrase === undefined) refuseLocked(unlocking);
  const given = isEncrypted ? { passphrase: unlocking.passphrase } : {};
  try {
    return createPrivateKey({ key: read.der, format: 'der', type: 'pkcs8', ...given });
  } catch {
    return isEncrypted ? refusePassphrase(unlocking) : refuseUnreadable();
  }
}

/** The messages of ssh2 that tell why a key cannot be unlocked. */
const locked = /passphrase given/u;
const wrong = /bad passphrase|malformed|integrity check|unable to authenticate/iu;

function readOther(text: string, unlocking: Unlocking): KeyObject {
  const parsed = parseKey(text, unlocking.passphrase);
  if (parsed instanceof Error) {
    if (locked.test(parsed.message)) refuseLocked(unlocking);
    const isWrong = unlocking.passphrase !== undefined && wrong.test(parsed.message);
    return isWrong ? refusePassphrase(unlocking) : refuseUnreadable();
  }
  if (!parsed.isPrivateKey()) return refuse('is a public one: give the file without .pub');
  if (parsed.type === 'ssh-dss') return refuse('is a DSA key, which is not secure: use Ed25519');
  try {
    return createPrivateKey(parsed.getPrivatePEM());
  } catch {
    return refuseUnreadable();
  }
}

/** ssh2 returns most errors, and throws some: it divides by what a file says. */
function parseKey(text: string, passphrase: string | undefined): ssh2.ParsedKey | Error {
  try {
    // A file in OpenSSH's format can say that it has no key.
    return ssh2.utils.parseKey(text, passphrase) ?? refuseUnreadable();
  } catch (error) {
    return error instanceof Error ? error : refuseUnreadable();
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
  refuse(`needs its passphrase: set ${variable}`, 'passphrase');
}

function refusePassphrase({ variable }: Unlocking): never {
  refuse(`is damaged, or has another passphrase than ${variable}`, 'passphrase');
}
