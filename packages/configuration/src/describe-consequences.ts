import type { Change } from '@waybill/directory/apply/change';
import { z } from 'zod';
import type { DueFiles } from './find-due-files.ts';

/** What follows from changes besides what they say, each in one sentence. */
export function describeConsequences(changes: readonly Change[], dueFiles: DueFiles): string[] {
  return changes.flatMap((change) => {
    const sentence = consequenceOf(change, dueFiles);
    return sentence === undefined ? [] : [`${change.entityType} ${change.entityName}: ${sentence}`];
  });
}

function consequenceOf(change: Change, due: DueFiles): string | undefined {
  const ended = isEnded(change);
  switch (change.entityType) {
    case 'Actor':
      return change.change === 'deleted' ? 'its secrets are deleted, if it has any' : undefined;
    case 'VFS':
      return ofFiles(change, due);
    case 'Internal User':
      return ended || change.fields.includes('password') ? 'its logins end' : undefined;
    case 'External User':
      return ended ? 'its sessions end' : ofLogins(change, 'its sessions');
    case 'Group':
      return ended ? 'its members lose what names it, within a second' : ofLogins(change, 'sessions of its members');
    case 'Connection Contract':
      return ended ? 'its users lose what it connects, within a second' : undefined;
    case 'Contract':
      return ended ? 'no file and no time starts its jobs any more' : undefined;
    default:
      return undefined;
  }
}

/** Whether something that was in force no longer is: it is deleted or disabled. */
function isEnded({ change, definitions }: Change): boolean {
  if (change === 'deleted') return true;
  return definitions?.before['enabled'] !== false && definitions?.after['enabled'] === false;
}

function ofFiles({ change, entityId, definitions }: Change, due: DueFiles): string | undefined {
  const files = due.get(entityId) ?? 0;
  if (files > 0)
    return `${files === 1 ? '1 file is' : `${files} files are`} past its new retention, and deleted within about a minute`;
  if (change === 'deleted') return 'its users lose access; its settings come back if it is created once more';
  if (definitions !== undefined && isLower(definitions.before['limits'], definitions.after['limits']))
    return 'what is stored beyond its new limits stays, and uploads are refused until there is room';
  return undefined;
}

const limitsSchema = z.record(z.string(), z.number()).catch({});

/** Whether one of the limits is lower than before, or new. */
function isLower(before: unknown, after: unknown): boolean {
  const former = limitsSchema.parse(before);
  return Object.entries(limitsSchema.parse(after)).some(([limit, value]) => value < (former[limit] ?? Infinity));
}

/** The settings that decide whether a login is valid: sessions are judged again when one changes. */
const loginSettings = ['password', 'publicKeys', 'authentication', 'networks', 'expires'];

function ofLogins({ change, fields }: Change, sessions: string): string | undefined {
  if (change !== 'modified') return undefined;
  const changed = loginSettings.filter((setting) => fields.includes(setting));
  return changed.length > 0 ? `${sessions} end that the new ${changed.join(' and ')} would not let in` : undefined;
}
