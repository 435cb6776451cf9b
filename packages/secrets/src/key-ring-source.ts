import { CodedError } from '@waybill/contracts/errors/coded-error';
import { secretSchema } from '@waybill/service-kit/config/secret';
import { fileVariableOf, readSecretVariable, type Environment } from '@waybill/service-kit/config/secret-source';
import { parseKeyRing, type KeyRing } from './key-ring.ts';

/** The setting of the key ring; as a file: `SECRET_KEYS_FILE`. */
export const keyRingSetting = 'SECRET_KEYS';

/** The setting of the key ring of second factors and begun logins: who serves logins needs no key of other secrets. */
export const accessKeyRingSetting = 'ACCESS_SECRET_KEYS';

/** A setting of a key ring. */
export type KeyRingSetting = typeof keyRingSetting | typeof accessKeyRingSetting;

/** The setting of a program that encrypts or decrypts secrets. */
export const secretKeysShape = {
  SECRET_KEYS: secretSchema
    .optional()
    .describe(
      'Keys of the secrets that client connections use: entries `<id>:<32 bytes in Base64>`, separated by blanks or lines. The first one encrypts, all decrypt. As a file, it is read again when it changes. `waybill secret new-key` prints an entry',
    ),
};

/** The setting of a program that serves logins. */
export const accessSecretKeysShape = {
  ACCESS_SECRET_KEYS: secretSchema
    .optional()
    .describe(
      'Keys of second factors and of logins with an issuer, in the form of SECRET_KEYS; the same for all services that serve logins',
    ),
};

/** The key ring in force. */
export type KeyRingSource = () => KeyRing;

/**
 * Reads the key ring from the environment or its file, at most every `maxAgeMs`: a rotated file takes effect without a
 * restart. It throws CodedError `configuration_invalid` if the ring is missing or invalid.
 */
export function openKeyRingSource(
  env: Environment,
  { maxAgeMs, setting = keyRingSetting }: { readonly maxAgeMs: number; readonly setting?: KeyRingSetting },
): KeyRingSource {
  let known: { readonly ring: KeyRing; readonly readAt: number } | undefined;
  return () => {
    const now = performance.now();
    if (known === undefined || now - known.readAt >= maxAgeMs) known = { ring: readKeyRing(env, setting), readAt: now };
    return known.ring;
  };
}

function readKeyRing(env: Environment, setting: KeyRingSetting): KeyRing {
  const source = readSecretVariable(env, setting);
  if (source === undefined) {
    const names = `${setting} or ${fileVariableOf(setting)}`;
    throw new CodedError('configuration_invalid', { detail: `Secrets cannot be used: ${names} is not set` });
  }
  if ('value' in source) return parseKeyRing(source.value, setting);
  throw new CodedError('configuration_invalid', { detail: `${source.variable} ${source.fault}` });
}
