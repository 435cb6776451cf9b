import type { SshKeyRules } from '@waybill/contracts/configuration/accounts/account-policy';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { commentOfPublicKeyLine, type PublicKeyLine, readPublicKeyLine, rsaBitsOf } from '../users/public-key-line.ts';

/** A key that a user wants to add. */
export interface ProposedKey {
  /** A line as in authorized_keys, without options. */
  readonly key: string;
  readonly comment: string | undefined;
  /** An instant, in ISO 8601. */
  readonly expires: string | undefined;
}

/** A key that the rules allow, with its end by the rules if the user names none. */
export interface AllowedKey {
  readonly key: PublicKeyLine;
  readonly comment: string | undefined;
  readonly expiresAt: Date | undefined;
}

const dayMs = 86_400_000;
const longestComment = 256;

/** Reads a key and holds it to the rules. @throws CodedError `ssh_key_refused`, which says what is wrong */
export function readProposedKey({ key: text, comment, expires }: ProposedKey, rules: SshKeyRules): AllowedKey {
  const line = readPublicKeyLine(text);
  if (line === undefined) refuse('This is not a public key, such as `ssh-ed25519 AAAA...`, without options');
  if (typeof line === 'object') refuse(`This ${line.damaged} key is damaged: copy the whole line again`);
  const [type = ''] = line.split(' ');
  if (!rules.types.some((allowed) => allowed === type)) {
    refuse(`Keys of the type ${type} are not allowed: use ${rules.types.join(', ')}`);
  }
  const bits = rsaBitsOf(line);
  if (bits !== undefined && bits < rules.rsaBits) refuse(`The key has ${bits} bits: ${rules.rsaBits} are needed`);
  const said = comment ?? commentOfPublicKeyLine(text)?.slice(0, longestComment);
  return { key: line, comment: said, expiresAt: endOf(expires, rules) };
}

function endOf(expires: string | undefined, { expiresAfterDays }: SshKeyRules): Date | undefined {
  const latest = expiresAfterDays === undefined ? undefined : new Date(Date.now() + expiresAfterDays * dayMs);
  if (expires === undefined) return latest;
  const at = new Date(expires);
  if (at.getTime() <= Date.now()) refuse('The key would have expired already');
  if (latest !== undefined && at > latest) refuse(`Keys must expire within ${expiresAfterDays} days`);
  return at;
}

function refuse(detail: string): never {
  throw new CodedError('ssh_key_refused', { detail });
}
