import {
  actorSettingsSchema,
  platformConfigurationSchema,
  type PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, type FieldError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { listedAtMost, parseStructure } from '../checks/check-document.ts';
import { parseSettings } from '../checks/parse-settings.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { actorLists, platformLists } from '../sources/lists-of-kinds.ts';
import { cutWrongLists } from './cut-wrong-lists.ts';

/** A configuration of one entity, and how its places are called in the settings of the entity. */
export interface OnlyConfiguration {
  readonly configuration: PlatformConfiguration;
  /** `groups[0]` for `actors[0].users[0].groups[0]`; unchanged for other places. */
  settingOf(place: string): string;
}

/** The configuration in which the entity is absent. */
export function withoutEntity(): PlatformConfiguration {
  return platformConfigurationSchema.parse({});
}

/**
 * The configuration that contains nothing but one entity.
 * @throws CodedError `validation_failed`; its fields are settings of the entity
 */
export function onlyEntity(target: EntityTarget, settings: object): OnlyConfiguration {
  const { document: given, place } = documentOf(target, { ...settings, name: target.name });
  const { value: document, isCut } = cutWrongLists(platformConfigurationSchema, given, listedAtMost);
  const settingOf = (field: string): string => {
    if (field === place) return '';
    return field.startsWith(`${place}.`) ? field.slice(place.length + 1) : field;
  };
  return { configuration: parseNaming(settingOf, document, isCut), settingOf };
}

/** Only what has errors is cut, and refused. */
function parseNaming(
  settingOf: OnlyConfiguration['settingOf'],
  document: unknown,
  isCut: boolean,
): PlatformConfiguration {
  try {
    return parseStructure(document);
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    const fields = error.fields.map((fault) => ({ ...fault, field: settingOf(fault.field) }));
    return refuseSettings(isCut ? [...fields.slice(0, listedAtMost), uncounted] : fields);
  }
}

const uncounted: FieldError = { field: '', message: 'There are more errors, which are not counted' };

function documentOf({ entityType, actor }: EntityTarget, entity: object): { document: object; place: string } {
  if (entityType === 'Actor') {
    checkActorSettings(entity);
    return { document: { actors: [entity] }, place: 'actors[0]' };
  }
  const listOfActor = actorLists.get(entityType);
  if (actor !== undefined && listOfActor !== undefined) {
    const place = `actors[0].${listOfActor}[0]`;
    return { document: { actors: [{ name: actor, [listOfActor]: [entity] }] }, place };
  }
  const list = platformLists.get(entityType) ?? refuseSettings([{ field: 'actor', message: 'is missing' }]);
  return { document: { [list]: [entity] }, place: `${list}[0]` };
}

/** What belongs to an actor is written one by one. @throws CodedError `validation_failed` */
function checkActorSettings(settings: object): void {
  const { faults } = parseSettings(actorSettingsSchema, settings);
  if (!faults) return;
  const lists = new Set<string>(actorLists.values());
  refuseSettings(
    faults.map((fault) => (lists.has(fault.field) ? { ...fault, message: 'is written one by one' } : fault)),
  );
}

const shownInDetail = 20;

/** @throws CodedError `validation_failed`, always */
export function refuseSettings(fields: readonly FieldError[]): never {
  const first = fields.slice(0, shownInDetail);
  const shown = first.map(({ field, message }) => (field === '' ? message : `${field} ${message}`));
  if (fields.length > shownInDetail) shown.push(`and ${fields.length - shownInDetail} more`);
  throw new CodedError('validation_failed', { detail: `The settings are not valid: ${shown.join('; ')}`, fields });
}
