import type { Reconciliation } from './reconcile-entities.ts';

/** The id of an entity that another one names. Its existence was checked when the configuration was parsed. */
export function referenceTo({ entities }: Reconciliation, key: string): string {
  const entity = entities.get(key);
  if (!entity) throw new Error(`an unchecked reference leads to nothing: ${key}`);
  return entity.id;
}
