import { type AccountKey, fingerprintOf } from './own-keys.ts';

/** A key as the interfaces show it, to its user and to administrators. */
export function presentAccountKey({ id, key, comment, expiresAt, addedAt, lastUsedAt }: AccountKey) {
  return {
    id,
    fingerprint: fingerprintOf(key),
    key,
    origin: addedAt === undefined ? ('configuration' as const) : ('own' as const),
    ...(comment !== undefined && { comment }),
    ...(addedAt && { addedAt: addedAt.toISOString() }),
    ...(expiresAt && { expires: expiresAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
