import type { Change } from '@waybill/directory/apply/change';

/** A configuration would remove entities, and was to be applied only if it does not. */
export class RemovalsRefused extends Error {
  override readonly name = 'RemovalsRefused';
  /** A line for each entity, as in `- VFS acme-files`. */
  readonly lines: readonly string[];

  constructor(removed: readonly Change[]) {
    super('nothing was applied, because it would remove');
    this.lines = removed.map(({ entityType, entityName }) => `- ${entityType} ${entityName}`);
  }
}

/** @throws RemovalsRefused when one of the changes removes something */
export function refuseRemovals(changes: readonly Change[]): void {
  const removed = changes.filter(({ change }) => change === 'deleted');
  if (removed.length > 0) throw new RemovalsRefused(removed);
}
