import { CodedError } from '@waybill/contracts/errors/coded-error';
import { secretSchema } from '@waybill/service-kit/config/secret';
import { fileVariableOf, readSecretVariable, type Environment } from '@waybill/service-kit/config/secret-source';
import { parseKeyRing, type KeyRing } from './key-ring.ts';

/** The setting of the key ring; as a file: `SECRET_KEYS_FILE`. */
export const keyRingSetting = 'SECRET_KEYS';

/** The setting of a program that encrypts or decrypts secrets. */
export const secretKeysShape = {
  SECRET_KEYS: secretSchema
    .optional()
    .describe(
      'Keys of the secrets that client connections use: entries `<id>:<32 bytes in Base64>`, separated by blanks or lines. The first one encrypts, all decrypt. As a file, it is read again when it changes. `waybill secret new-key` prints an entry',
    ),
};

/** The key ring in force. */
export type KeyRingSource = () => KeyRing;

/**
 * Reads the key ring from the environment or its file, at most every `maxAgeMs`: a rotated file takes effect without a
 * restart. It throws CodedError `configuration_invalid` if the ring is missing or invalid.
 */
export function openKeyRingSource(env: Environment, { maxAgeMs }: { readonly maxAgeMs: number }): KeyRingSource {
  let known: { readonly ring: KeyRing; readonly readAt: number } | undefined;
  return () => {
    const now = performance.now();
    if (known === undefined || now - known.readAt >= maxAgeMs) known = { ring: readKeyRing(env), readAt: now };
    return known.ring;
  };
}

function readKeyRing(env: Environment): KeyRing {
  const source = readSecretVariable(env, keyRingSetting);
  if (source === undefined) {
    const names = `${keyRingSetting} or ${fileVariableOf(keyRingSetting)}`;
    throw new CodedError('configuration_invalid', { detail: `Secrets cannot be used: ${names} is not set` });
  }
  if ('value' in source) return parseKeyRing(source.value, keyRingSetting);
  throw new CodedError('configuration_invalid', { detail: `${source.variable} ${source.fault}` });
}
