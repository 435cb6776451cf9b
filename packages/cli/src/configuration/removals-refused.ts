import type { Change } from '@waybill/directory/apply/change';

/** The configuration was not applied, because it would remove entities and removals were not allowed. */
export class RemovalsRefused extends Error {
  override readonly name = 'RemovalsRefused';
  /** A line for each entity, as in `- VFS acme-files (holds 4 files)`. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super('nothing was applied, because the configuration would remove');
    this.lines = lines;
  }
}

/**
 * @param held the number of files of each removed VFS, by id
 * @throws RemovalsRefused when one of the changes removes something
 */
export function refuseRemovals(changes: readonly Change[], held: ReadonlyMap<string, number>): void {
  const removed = changes.filter(({ change }) => change === 'deleted');
  if (removed.length === 0) return;
  const lines = removed.map(({ entityType, entityName, entityId }) => {
    const files = entityType === 'VFS' ? (held.get(entityId) ?? 0) : 0;
    const holding = files === 0 ? '' : ` (holds ${files === 1 ? '1 file' : `${files} files`})`;
    return `- ${entityType} ${entityName}${holding}`;
  });
  throw new RemovalsRefused(lines);
}
