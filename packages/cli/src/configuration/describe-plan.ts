import type {
  ChangePreview,
  ObjectChange,
  PlanView,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import { printable } from '../platform/render-table.ts';
import { changeSigns, describeTotals } from './describe-changes.ts';
import { describeDifference } from './describe-difference.ts';

/** A plan of a platform as lines of text, like the changes of a database. */
export function describePlan({ changes, counts, consequences }: PlanView): string[] {
  if (changes.length === 0) return ['Nothing to change: the configuration is already applied.'];
  return [
    ...changes.flatMap(describeChange),
    ...consequences.map((sentence) => `! ${sentence}`),
    describeTotals(counts, 'planned'),
  ].map(printable);
}

/** What a change of objects would do, as lines of text. */
export function describePreview({ changes, consequences, uses }: ChangePreview): string[] {
  if (changes.length === 0) return ['Nothing to change.'];
  return [
    ...changes.flatMap(describeChange),
    ...consequences.map((sentence) => `! ${sentence}`),
    ...uses.map(({ entityType, name, setting, of }) => `  ${of} is used by ${entityType} ${name}: ${setting}`),
    'This was a dry run: nothing was changed.',
  ].map(printable);
}

function describeChange({ change, entityType, name, differences }: ObjectChange): string[] {
  const title = `${changeSigns[change]} ${entityType} ${name}`;
  if (change !== 'modified') return [title];
  const lines = differences.map(({ setting, before, after }) =>
    setting === 'password' ? 'password: changed' : describeDifference({ place: setting, before, after }, new Set()),
  );
  return [title, ...lines.map((line) => `    ${line}`)];
}
