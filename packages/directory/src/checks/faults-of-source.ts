import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { objectionToSource } from '../sources/applied-source.ts';
import { readEntitiesOf, readEntitiesOfOthers } from '../sources/stored-entities.ts';
import type { DescribedFor } from '../sources/with-others.ts';
import { describedFaults, faultsOfSound, shownOf } from './check-document.ts';
import { checkNewNames, namesThereAre } from './check-new-names.ts';
import { absentFrom } from './hidden-names.ts';
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
  const faults = await namingRemoved(db, configuration, shownOf(describedFaults(configuration, others, describedFor)));
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

/** What errors call an entity that is missing, where that is not its kind. */
const missedAs: Partial<Record<EntityType, string>> = {
  'External User': 'user',
  Group: 'group',
  'Job Queue': 'queue',
  Actor: 'actor',
  'Workflow Template': 'workflow template',
  Role: 'role',
  'Account Policy': 'account policy',
  'Storage Class': 'storage class',
  Cluster: 'cluster',
  'Client Connection': 'client connection',
  'PGP Key': 'PGP key',
};

/**
 * What others own may need what the source owns, and its file leaves out: adopted objects, most of all. The error says that they would
 * be removed.
 */
async function namingRemoved(
  db: Queryable,
  configuration: PlatformConfiguration,
  faults: readonly FieldError[],
): Promise<readonly FieldError[]> {
  if (faults.every(({ field }) => field !== '')) return faults;
  const isAbsent = absentFrom(configuration);
  const removed = (await readEntitiesOf(db, configuration.source)).filter(({ entityType, name, definition }) => {
    const { actor } = definition;
    return isAbsent(entityType, { name, actor: typeof actor === 'string' ? actor : undefined });
  });
  const byWords = new Map(removed.map((one) => [`${missedAs[one.entityType] ?? one.entityType} ${one.name}`, one]));
  return faults.map((fault) => {
    const [, missed = ''] = / no ([^:;]+)(?:[:;]|$)/u.exec(fault.message) ?? [];
    const needed = byWords.get(missed);
    if (fault.field !== '' || !needed) return fault;
    const why = `the file leaves out ${needed.entityType} ${needed.name}, which its source owns, and so removes it`;
    return { ...fault, message: `${fault.message}; ${why}` };
  });
}

/** What the source has already is read only if a name would be refused. */
async function newNames(db: Queryable, configuration: PlatformConfiguration): Promise<FieldError[]> {
  if (checkNewNames(configuration).length === 0) return [];
  const own = await readEntitiesOf(db, configuration.source);
  return checkNewNames(configuration, namesThereAre(own));
}
