import {
  platformConfigurationSchema,
  type PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import type { StoredEntity } from '../sources/stored-entities.ts';
import { type DescribedFor, withOthers } from '../sources/with-others.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkNewNames } from './check-new-names.ts';
import { checkWorkflows, checkWrittenWorkflows } from './check-workflows.ts';
import { absentFrom, type MayExist } from './hidden-names.ts';
import { parseSettings } from './parse-settings.ts';
import { findSoundParts, type SoundParts } from './sound-parts.ts';

const shownInDetail = 5;

/** How many faults an error lists: a document may have a great many. */
export const listedAtMost = 1_000;

/**
 * Parses a configuration without looking at its references, which may be to what other sources have.
 * @throws CodedError `configuration_invalid`, also for faults inside its workflows
 */
export function parseStructure(value: unknown): PlatformConfiguration {
  const { configuration, faults = [] } = readStructure(value);
  if (configuration) return configuration;
  return refuse(faults.length < listedAtMost ? [...faults, ...checkWrittenWorkflows(value)] : faults);
}

/** A document as a configuration, or its errors of shape. */
export type ReadStructure =
  | { readonly configuration: PlatformConfiguration; readonly faults?: never; readonly sound?: never }
  | {
      readonly configuration?: never;
      readonly faults: readonly FieldError[];
      /** What can be checked nevertheless. */
      readonly sound: SoundParts | undefined;
    };

/** Parses a configuration without looking at its references. */
export function readStructure(value: unknown): ReadStructure {
  const { data, faults, paths } = parseSettings(platformConfigurationSchema, value);
  if (data) return { configuration: data };
  // More would not be listed.
  const isListed = paths && faults.length < listedAtMost;
  return { faults, sound: isListed ? findSoundParts(value, paths) : undefined };
}

/** Finds what is wrong with a document besides errors of shape. */
export type FindFaults = (sound: SoundParts) => Promise<readonly FieldError[]>;

/**
 * The same, with all errors at once if there are any of shape. @throws CodedError `configuration_invalid`
 */
export async function parseStructureAnd(findFaults: FindFaults, value: unknown): Promise<PlatformConfiguration> {
  const { configuration, faults = [], sound } = readStructure(value);
  return configuration ?? refuse([...faults, ...(sound ? await findFaults(sound) : [])]);
}

/** The same for a configuration that is complete in itself. @throws CodedError `configuration_invalid` */
export function parseComplete(value: unknown): PlatformConfiguration {
  const { configuration, faults = [], sound } = readStructure(value);
  return configuration ?? refuse([...faults, ...(sound ? faultsOfSound(sound, []) : [])]);
}

/**
 * What is wrong with the references of a document that has errors of shape, with the entities of others. References to objects that
 * have errors themselves are not judged.
 */
export function faultsOfSound(
  { configuration, document, placed, mayExist }: SoundParts,
  others: readonly StoredEntity[],
  { mayName }: DescribedFor = {},
): readonly FieldError[] {
  const described = describeFaults(configuration, others, {
    mayName,
    check: (whole) => checkConfiguration(whole, mayExist),
  });
  return [...shownOf(described).map(placed), ...checkWrittenWorkflows(document, { others, mayExist })];
}

/** The same without knowing what the platform has, as `checkOffline`. */
export function faultsOfSoundOffline(sound: SoundParts): readonly FieldError[] {
  return [...faultsOfSound(sound, []), ...checkNewNames(sound.configuration).map(sound.placed)];
}

/** The same for a part of a configuration: what it refers to may be elsewhere. */
export function faultsOfSoundPart(sound: SoundParts): readonly FieldError[] {
  const isAbsent = absentFrom(sound.configuration);
  const mayExist: MayExist = (kind, named) => sound.mayExist(kind, named) || isAbsent(kind, named);
  return faultsOfSound({ ...sound, mayExist }, []);
}

/** What is wrong with a part of a configuration whatever the platform has, and what the platform has to have. */
export interface CheckedPart {
  readonly errors: readonly FieldError[];
  readonly needed: readonly FieldError[];
}

/** Checks a part of a configuration without knowing what the platform has: also new names may be there already. */
export function checkPart(part: PlatformConfiguration): CheckedPart {
  const errors = shownOf(describedFaults(part, [], { mayExist: absentFrom(part) }));
  const known = new Set(errors.map((fault) => JSON.stringify(fault)));
  const unknown = shownOf(describedFaults(part, [])).filter((fault) => !known.has(JSON.stringify(fault)));
  return { errors, needed: [...unknown, ...checkNewNames(part)] };
}

/** Checks the references of a configuration that is complete in itself. @throws CodedError `configuration_invalid` */
export function checkReferences(configuration: PlatformConfiguration): void {
  refuseFaults(shownOf(describedFaults(configuration, [])));
}

/**
 * The same without knowing what the platform has: names that it would refuse if they were new are refused, too.
 * @throws CodedError `configuration_invalid`
 */
export function checkOffline(configuration: PlatformConfiguration): void {
  refuseFaults([...shownOf(describedFaults(configuration, [])), ...checkNewNames(configuration)]);
}

/** @throws CodedError `configuration_invalid` if there are any */
export function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length > 0) refuse(faults);
}

/** A fault with every name in it, by which faults are compared, and as it is shown. */
export interface DescribedFault {
  readonly fault: FieldError;
  readonly shown: FieldError;
}

/** What is shown of faults, each once. */
export function shownOf(faults: readonly DescribedFault[]): FieldError[] {
  return [...new Map(faults.map(({ shown }) => [JSON.stringify(shown), shown])).values()];
}

/** The faults of a configuration together with what others own, as they are and as they are shown. `mayExist`: what there may be besides. */
export function describedFaults(
  configuration: PlatformConfiguration,
  others: readonly StoredEntity[],
  { mayName, mayExist }: DescribedFor & { readonly mayExist?: MayExist } = {},
): readonly DescribedFault[] {
  const written = configuration.workflowTemplates.map(({ name }) => name);
  return describeFaults(configuration, others, {
    mayName,
    check: (whole) => [...checkConfiguration(whole, mayExist), ...checkWorkflows(whole, written, mayExist)],
  });
}

function describeFaults(
  configuration: PlatformConfiguration,
  others: readonly StoredEntity[],
  { mayName, check }: DescribedFor & { check(whole: PlatformConfiguration): readonly FieldError[] },
): readonly DescribedFault[] {
  const { document, configuration: whole, conflicts, explain } = withOthers(configuration, others);
  const faults = whole ? check(whole) : structuralFaults(document);
  const explained = faults.map((fault) => ({ fault: explain(fault), shown: explain(fault, mayName) }));
  // What others have may refer to what they have by a name in conflict: that follows from the conflict.
  const own = conflicts.length > 0 ? explained.filter(({ fault }) => fault.field !== '') : explained;
  const described = [...conflicts.map((fault) => ({ fault, shown: fault })), ...own];
  return [...new Map(described.map((one) => [JSON.stringify(one.fault), one])).values()];
}

function structuralFaults(document: unknown): readonly FieldError[] {
  return parseSettings(platformConfigurationSchema, document).faults ?? [];
}

function refuse(fields: readonly FieldError[]): never {
  const shown = fields.slice(0, shownInDetail).map(({ field, message }) => (field ? `${field}: ${message}` : message));
  const more = fields.length > shownInDetail ? [`and ${fields.length - shownInDetail} more`] : [];
  throw new CodedError('configuration_invalid', {
    detail: `The configuration is not valid: ${[...shown, ...more].join('; ')}`,
    fields: listed(fields),
  });
}

function listed(fields: readonly FieldError[]): readonly FieldError[] {
  const more = fields.length - listedAtMost;
  if (more <= 0) return fields;
  return [...fields.slice(0, listedAtMost), { field: '', message: `The configuration has ${more} more errors` }];
}
