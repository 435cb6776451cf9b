import { refuse } from './key-refusal.ts';
import { readPkcs8 } from './read-pkcs8.ts';

/** A round of bcrypt takes tens of milliseconds in JavaScript. */
const roundsAtMost = 100;

/** They take about a second. */
const iterationsAtMost = 1_000_000;

/**
 * Refuses a private key whose passphrase takes long to check, by what its file says, at once: services do not spend minutes of a
 * processor on a request. @throws KeyRefusal
 */
export function assertUnlockedQuickly(text: string): void {
  const rounds = bcryptRoundsOf(text);
  if (rounds !== undefined && rounds > roundsAtMost) {
    const cure = '`ssh-keygen -p -a 24 -f <file>` changes it';
    refuse(`takes ${rounds} rounds of bcrypt to unlock, and at most ${roundsAtMost} are accepted: ${cure}`);
  }
  const iterations = readPkcs8(text)?.iterations;
  if (iterations !== undefined && iterations > iterationsAtMost) {
    const cure = '`ssh-keygen -p -f <file>` writes it with fewer';
    refuse(`takes more than ${iterationsAtMost} iterations to unlock: ${cure}`);
  }
}

const opensshForm = /^-----BEGIN OPENSSH PRIVATE KEY-----\r?\n([\s\S]+)\r?\n-----END OPENSSH PRIVATE KEY-----$/u;
const magic = 'openssh-key-v1\0';

/** The rounds of a key in OpenSSH's format (PROTOCOL.key): after the cipher and `bcrypt` come the salt and the rounds. */
function bcryptRoundsOf(text: string): number | undefined {
  const body = opensshForm.exec(text.trim())?.[1];
  const bytes = Buffer.from(body ?? '', 'base64');
  if (bytes.subarray(0, magic.length).toString('latin1') !== magic) return undefined;
  const [, derivation, options] = stringsOf(bytes.subarray(magic.length), 3);
  if (derivation?.toString('latin1') !== 'bcrypt' || !options) return undefined;
  const [salt] = stringsOf(options, 1);
  const at = 4 + (salt?.length ?? 0);
  return salt && at + 4 <= options.length ? options.readUInt32BE(at) : undefined;
}

/** So many strings from the start, or those that are whole (RFC 4251, section 5). */
function stringsOf(bytes: Buffer, count: number): Buffer[] {
  const strings: Buffer[] = [];
  for (let at = 0; strings.length < count && at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    strings.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return strings;
}
