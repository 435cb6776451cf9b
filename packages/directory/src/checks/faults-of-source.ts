import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { readEntitiesOf, readEntitiesOfOthers } from '../sources/stored-entities.ts';
import type { DescribedFor } from '../sources/with-others.ts';
import { describedFaults, shownOf } from './check-document.ts';
import { checkNewNames, namesThereAre } from './check-new-names.ts';

/**
 * What is wrong with the configuration of a source, together with what is stored: references without a target, names that other owners
 * have, and new names that could be taken for others.
 */
export async function faultsOfSource(
  db: Queryable,
  configuration: PlatformConfiguration,
  describedFor: DescribedFor,
): Promise<readonly FieldError[]> {
  const others = await readEntitiesOfOthers(db, configuration.source);
  const faults = shownOf(describedFaults(configuration, others, describedFor));
  return [...faults, ...(await newNames(db, configuration))];
}

/** What the source has already is read only if a name would be refused. */
async function newNames(db: Queryable, configuration: PlatformConfiguration): Promise<FieldError[]> {
  if (checkNewNames(configuration).length === 0) return [];
  const own = await readEntitiesOf(db, configuration.source);
  return checkNewNames(configuration, namesThereAre(own));
}
