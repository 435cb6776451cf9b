import { passwordSource, passwordVariable } from '@waybill/local-platform/configuration/known-password';
import type { RememberedConfiguration } from '@waybill/local-platform/configuration/remembered-configuration';
import { Refusal } from '@waybill/private-datastores/refusal';
import { readSecretVariable } from '@waybill/service-kit/config/secret-source';

/** The users of the demo configuration that the tour logs in as. */
export type TourUser = 'acme' | 'admin';

/** A password, and a description of its source. */
export interface KnownPassword {
  readonly password: string;
  readonly origin: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The password of a user: from the environment, else what `npm start` was given, else the demo's.
 * @throws Refusal if it cannot be read
 */
export function knownPassword(
  user: TourUser,
  env: Variables,
  remembered: RememberedConfiguration | undefined,
): KnownPassword {
  const source = passwordSource(user, env, remembered);
  if ('demo' in source) return { password: source.demo, origin: "the demo's password" };
  const name = passwordVariable(user);
  const secret = readSecretVariable('file' in source ? { [`${name}_FILE`]: source.file } : env, name);
  const origin = 'file' in source ? `the password in ${source.file}` : `the password of ${source.variable}`;
  if (secret !== undefined && 'value' in secret) return { password: secret.value, origin };
  const fault = secret === undefined ? '' : ` (${secret.variable} ${secret.fault})`;
  throw new Refusal(`The password of ${user} is not known${fault}: ${advice(user)}.`);
}

/** The message for a refused login. */
export function refusedPassword(user: TourUser, { origin }: KnownPassword): Refusal {
  return new Refusal(
    `${user} cannot log in with ${origin}: the platform has another password, or no such user. If it has another one, ${advice(user)}.`,
  );
}

function advice(user: TourUser): string {
  return `give it with ${passwordVariable(user)}=<password> npm run tour`;
}
