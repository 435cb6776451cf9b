/** A key with its id, as in signatures. */
export interface NamedKey {
  /** Unique to the key: a thumbprint of the public key, or the public key itself. */
  readonly kid: string;
}

/**
 * The role of a key. The `active` one signs. A `next` one is published and accepted, so that every process and
 * every client knows it before it signs. A `previous` one is published and accepted as long as its signatures
 * matter.
 */
export type KeyRole = 'active' | 'next' | 'previous';

/** The keys of one purpose. Previous keys may be public keys (`K`); the others are private (`P`). */
export interface KeySet<K extends NamedKey, P extends K = K> {
  readonly active: P;
  readonly next: P | undefined;
  readonly previous: readonly K[];
}

/** The keys in use. */
export interface KeysInForce<K extends NamedKey, P extends K = K> {
  readonly current: KeySet<K, P>;
  /** Reads the files now, if there are any. */
  look?(): Promise<void>;
}

/** All keys of a set with their roles, the active one first. */
export function keysOf<K extends NamedKey, P extends K>({
  active,
  next,
  previous,
}: KeySet<K, P>): { readonly role: KeyRole; readonly key: K }[] {
  return [
    { role: 'active', key: active },
    ...(next ? [{ role: 'next' as const, key: next }] : []),
    ...previous.map((key) => ({ role: 'previous' as const, key })),
  ];
}

/** A source of one key that never changes. */
export function onlyKey<P extends NamedKey>(active: P): KeysInForce<P> {
  return { current: { active, next: undefined, previous: [] } };
}
