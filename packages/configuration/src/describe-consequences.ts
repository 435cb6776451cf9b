import type { Change } from '@waybill/directory/apply/change';
import type { DueFiles } from './find-due-files.ts';

/** What follows from changes besides what they say, each in one sentence. */
export function describeConsequences(changes: readonly Change[], dueFiles: DueFiles): string[] {
  return changes.flatMap((change) => {
    const sentence = consequenceOf(change, dueFiles);
    return sentence === undefined ? [] : [sentence];
  });
}

function consequenceOf(
  { change, entityType, entityName, entityId, fields }: Change,
  due: DueFiles,
): string | undefined {
  const name = `${entityType} ${entityName}`;
  const files = entityType === 'VFS' ? (due.get(entityId) ?? 0) : 0;
  if (files > 0)
    return `${name}: ${files === 1 ? '1 file is' : `${files} files are`} past its new retention, and deleted within about a minute`;
  if (entityType === 'Internal User' && (change === 'deleted' || fields.includes('password')))
    return `${name}: its logins end`;
  if (change !== 'deleted') return undefined;
  if (entityType === 'VFS') return `${name}: its users lose access; its settings come back if it is created once more`;
  if (entityType === 'External User') return `${name}: its sessions end`;
  if (entityType === 'Contract') return `${name}: no file and no time starts its jobs any more`;
  return undefined;
}
