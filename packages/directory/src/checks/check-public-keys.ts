import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { parsePublicKeyLine, rsaBitsOf, type PublicKeyLine } from '../users/public-key-line.ts';

const leastRsaBits = 2_048;

/** Public keys that are invalid, too weak, or duplicate. Empty lines are ignored, so that a variable may be empty. */
export function checkPublicKeys({ actors }: PlatformConfiguration): FieldError[] {
  return actors.flatMap(({ users }, a) =>
    users.flatMap(({ publicKeys }, u) => {
      const seen = new Set<PublicKeyLine>();
      return publicKeys.flatMap(({ key }, k) => {
        const message = key.trim() === '' ? undefined : objectionTo(key, seen);
        return message === undefined ? [] : [{ field: `actors[${a}].users[${u}].publicKeys[${k}]`, message }];
      });
    }),
  );
}

function objectionTo(key: string, seen: Set<PublicKeyLine>): string | undefined {
  const line = parsePublicKeyLine(key);
  if (line === undefined) return 'is not a public key: `ssh-ed25519 AAAA...`, without options in front';
  if (line.startsWith('ssh-rsa ')) {
    const bits = rsaBitsOf(line);
    if (bits === undefined) return 'is not a whole public key';
    if (bits < leastRsaBits) return `has ${bits} bits: an RSA key needs ${leastRsaBits} or more`;
  }
  if (seen.has(line)) return 'is there twice';
  seen.add(line);
  return undefined;
}
