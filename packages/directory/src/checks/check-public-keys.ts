import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { type PublicKeyLine, readPublicKeyLine, rsaBitsOf } from '../users/public-key-line.ts';

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
  const line = readPublicKeyLine(key);
  if (line === undefined) return 'is not a public key, such as `ssh-ed25519 AAAA...`, without options';
  if (typeof line === 'object') return `this ${line.damaged} key is damaged: copy the whole line again`;
  const bits = rsaBitsOf(line) ?? Infinity;
  if (bits < leastRsaBits) return `has ${bits} bits: an RSA key needs ${leastRsaBits} or more`;
  if (seen.has(line)) return 'is there twice';
  seen.add(line);
  return undefined;
}
