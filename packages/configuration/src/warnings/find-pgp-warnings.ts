import type { PgpKey } from '@waybill/contracts/configuration/pgp-key';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describePublicKey } from '@waybill/pgp/pgp-key';
import type { Warning } from '../document/warning.ts';
import { objectionToEnd } from './objection-to-end.ts';

/** Warns of PGP keys that cannot be read, that have expired or were revoked, and that expire soon. */
export async function findPgpWarnings({ pgpKeys, actors }: PlatformConfiguration, now: Date): Promise<Warning[]> {
  const lists: [list: string, keys: readonly PgpKey[]][] = [
    ['pgpKeys', pgpKeys],
    ...actors.map((actor, a): [string, readonly PgpKey[]] => [`actors[${a}].pgpKeys`, actor.pgpKeys]),
  ];
  const found = lists.flatMap(([list, keys]) =>
    keys.map(async (key, index): Promise<Warning[]> => {
      const message = await objectionTo(key, now);
      return message === undefined ? [] : [{ place: `${list}[${index}].publicKey`, message }];
    }),
  );
  return (await Promise.all(found)).flat();
}

async function objectionTo({ name, publicKey }: PgpKey, now: Date): Promise<string | undefined> {
  try {
    const { expiresAt, canEncrypt, canSign } = await describePublicKey(publicKey, name, now);
    const objection = expiresAt && objectionToEnd(expiresAt, now);
    const isUseless = !canEncrypt && !canSign && !(expiresAt && expiresAt <= now);
    return isUseless ? 'the key can neither encrypt nor sign: it has expired or was revoked' : objection;
  } catch (error) {
    if (isCodedError(error)) return error.message;
    throw error;
  }
}
