import type { DueFiles } from '@waybill/configuration/find-due-files';
import type { Change } from '@waybill/directory/apply/change';
import { differencesOf } from '@waybill/directory/differences/difference';
import { printable } from '../platform/render-table.ts';
import { describeDifference } from './describe-difference.ts';

/** The sign before each kind of change. */
export const changeSigns = { created: '+', modified: '~', deleted: '-' } as const satisfies Record<
  Change['change'],
  string
>;

/**
 * Changes as lines of text: each with the values that differ, as in `~ VFS acme-files`, `limits.files: 100 -> 200`;
 * then their number. Passwords are never shown, nor possible secrets in variables and parameters of steps.
 */
export function describeChanges(
  changes: readonly Change[],
  { tense, dueFiles, filled }: { tense: 'planned' | 'done'; dueFiles: DueFiles; filled: ReadonlySet<string> },
): string[] {
  if (changes.length === 0) return ['Nothing to change: the configuration is already applied.'];
  const lines = changes.flatMap((change) => {
    const due = change.entityType === 'VFS' ? (dueFiles.get(change.entityId) ?? 0) : 0;
    return [
      `${changeSigns[change.change]} ${change.entityType} ${change.entityName}`,
      ...detailsOf(change, filled),
      ...(due === 0 ? [] : [`    ! ${dueSentence(due, tense)}`]),
    ];
  });
  const count = (change: Change['change']): number => changes.filter((one) => one.change === change).length;
  const counts = { created: count('created'), modified: count('modified'), deleted: count('deleted') };
  return [...lines, describeTotals(counts, tense)].map(printable);
}

/** How many entities are or were changed, in a sentence. */
export function describeTotals(
  { created, modified, deleted }: Readonly<Record<Change['change'], number>>,
  tense: 'planned' | 'done',
): string {
  const totals = `${created} created, ${modified} modified, ${deleted} deleted`;
  return tense === 'done' ? `Applied: ${totals}.` : `To be applied: ${totals}.`;
}

function detailsOf({ fields, definitions }: Change, filled: ReadonlySet<string>): string[] {
  const differences = definitions ? differencesOf(definitions.before, definitions.after) : [];
  const password = fields.includes('password') ? ['password: changed'] : [];
  return [...differences.map((difference) => describeDifference(difference, filled)), ...password].map(
    (line) => `    ${line}`,
  );
}

function dueSentence(count: number, tense: 'planned' | 'done'): string {
  const files = count === 1 ? 'one file is' : `${count} files are`;
  return `${files} already past that time and ${tense === 'done' ? 'will' : 'would'} be deleted within about a minute`;
}
