import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { KeyRing } from '@waybill/secrets/key-ring';
import { accessKeyRingSetting, openKeyRingSource } from '@waybill/secrets/key-ring-source';
import type { Environment } from '@waybill/service-kit/config/secret-source';

/** The keys of second factors and of logins that have begun, which are read again when they change. */
export function openAccessKeyRing(env: Environment, { maxAgeMs }: { readonly maxAgeMs: number }): () => KeyRing {
  const source = openKeyRingSource(env, { maxAgeMs, setting: accessKeyRingSetting });
  return () => {
    try {
      return source();
    } catch (cause) {
      const detail = 'Second factors and logins with an issuer cannot be used: the platform has no ACCESS_SECRET_KEYS';
      throw new CodedError('service_unavailable', { detail, cause });
    }
  };
}
