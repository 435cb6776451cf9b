import type { Change } from '@waybill/directory/apply/change';
import { Refused } from '../command.ts';

/**
 * Refuses changes that remove something, with a line for each entity, as in `- VFS acme-files (holds 4 files)`.
 * @param held the number of files of each removed VFS, by id
 * @throws Refused when one of the changes removes something
 */
export function refuseRemovals(changes: readonly Change[], held: ReadonlyMap<string, number>): void {
  const removed = changes.filter(({ change }) => change === 'deleted');
  if (removed.length === 0) return;
  const lines = removed.map(({ entityType, entityName, entityId }) => {
    const files = entityType === 'VFS' ? (held.get(entityId) ?? 0) : 0;
    const holding = files === 0 ? '' : ` (holds ${files === 1 ? '1 file' : `${files} files`})`;
    return `- ${entityType} ${entityName}${holding}`;
  });
  throw removalsRefused(lines);
}

/** The configuration was not applied, because it would remove these entities. */
export function removalsRefused(lines: readonly string[]): Refused {
  return new Refused('nothing was applied, because the configuration would remove', lines);
}
