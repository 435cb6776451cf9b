import type { ClientConnection } from '@waybill/contracts/configuration/connections/client-connection';
import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import type { PgpKey } from '@waybill/contracts/configuration/pgp-key';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describePublicKey } from '@waybill/pgp/pgp-key';
import type { Warning } from '../document/warning.ts';

/** How long before its end a key is warned of. */
const noticeDays = 30;
const dayMs = 86_400_000;

/**
 * Warns of PGP keys that cannot be read, that have expired or were revoked, and that expire soon, and of SSH keys of client connections
 * that partners do not accept any more, or not much longer.
 */
export async function findKeyWarnings(configuration: PlatformConfiguration, now: Date): Promise<Warning[]> {
  const found = placesOf(configuration).map(async ([place, { pgpKeys, clientConnections }]) => [
    ...(await warningsOf(`${place}pgpKeys`, 'publicKey', pgpKeys, async (key) => objectionToPgpKey(key, now))),
    ...(await warningsOf(`${place}clientConnections`, 'keyExpires', clientConnections, async (connection) =>
      objectionToConnection(connection, now),
    )),
  ]);
  return (await Promise.all(found)).flat();
}

/** Where keys are: in the platform, and in each actor. */
function placesOf(configuration: PlatformConfiguration) {
  type KeyOwner = Pick<PlatformConfiguration, 'pgpKeys' | 'clientConnections'>;
  const actors = configuration.actors.map((actor, index): [string, KeyOwner] => [`actors[${index}].`, actor]);
  return [['', configuration] as [string, KeyOwner], ...actors];
}

async function warningsOf<T>(
  list: string,
  setting: string,
  items: readonly T[],
  objectionTo: (item: T) => Promise<string | undefined>,
): Promise<Warning[]> {
  const objections = await Promise.all(items.map(objectionTo));
  return objections.flatMap((message, index) =>
    message === undefined ? [] : [{ place: `${list}[${index}].${setting}`, message }],
  );
}

async function objectionToPgpKey({ name, publicKey }: PgpKey, now: Date): Promise<string | undefined> {
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

function objectionToConnection(connection: ClientConnection, now: Date): string | undefined {
  if (connection.type !== 'sftp' || connection.keyExpires === undefined) return undefined;
  return objectionToEnd(new Date(connection.keyExpires), now);
}

function objectionToEnd(end: Date, now: Date): string | undefined {
  const shown = lastDayOf(end.toISOString()) ?? end.toISOString();
  if (end <= now) return `the key has expired: ${shown}`;
  return end.getTime() < now.getTime() + noticeDays * dayMs ? `the key expires soon: ${shown}` : undefined;
}
