import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { objectionToSource } from '../sources/applied-source.ts';
import { readEntitiesOf, readEntitiesOfOthers } from '../sources/stored-entities.ts';
import type { DescribedFor } from '../sources/with-others.ts';
import { describedFaults, faultsOfSound, shownOf } from './check-document.ts';
import { checkNewNames, namesThereAre } from './check-new-names.ts';
import type { SoundParts } from './sound-parts.ts';

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
  const ofSource = await objectionToSource(db, configuration.source);
  const source = ofSource === undefined ? [] : [{ field: 'source', message: ofSource }];
  return [...source, ...faults, ...(await newNames(db, configuration))];
}

/**
 * What else is wrong with the configuration of a source that has errors of shape, as far as it can be told: the same, for the objects
 * that have none.
 */
export async function faultsOfSoundSource(
  db: Queryable,
  sound: SoundParts,
  describedFor: DescribedFor,
): Promise<readonly FieldError[]> {
  const others = await readEntitiesOfOthers(db, sound.configuration.source);
  const unfit = await newNames(db, sound.configuration);
  return [...faultsOfSound(sound, others, describedFor), ...unfit.map(sound.placed)];
}

/** What the source has already is read only if a name would be refused. */
async function newNames(db: Queryable, configuration: PlatformConfiguration): Promise<FieldError[]> {
  if (checkNewNames(configuration).length === 0) return [];
  const own = await readEntitiesOf(db, configuration.source);
  return checkNewNames(configuration, namesThereAre(own));
}
