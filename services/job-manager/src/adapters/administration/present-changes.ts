import type { ObjectChange } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { Change } from '@waybill/directory/apply/change';
import type { Difference } from '@waybill/directory/differences/difference';
import { shownDifferences } from '@waybill/directory/differences/recorded-difference';
import { actorOfChange } from '@waybill/directory/plans/planned-effect';
import { definitionsOf } from '@waybill/directory/settle/audit-changes';

/** Changes as they are shown: without passwords and possible secrets. `filled`: texts with values of variables. */
export function presentChanges(changes: readonly Change[], filled: ReadonlySet<string>): ObjectChange[] {
  return changes.map((change) => {
    const { entityType, entityName: name, fields } = change;
    const actor = actorOfChange(change);
    const differences = presentDifferences(shownDifferences(definitionsOf(change), filled));
    const password = fields.includes('password') ? [{ setting: 'password', after: '(not shown)' }] : [];
    return {
      change: change.change,
      entityType,
      name,
      ...(actor !== undefined && { actor }),
      differences: [...differences, ...password],
    };
  });
}

/** Differences that may be shown: settings that are absent before or after have no such member. */
export function presentDifferences(differences: readonly Difference[]): ObjectChange['differences'] {
  return differences.map(({ place: setting, before, after }) => ({
    setting,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }));
}
