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
import { parseSettings } from './parse-settings.ts';

const shownInDetail = 5;

/** How many faults an error lists: a document may have a great many. */
const listedAtMost = 1_000;

/**
 * Parses a configuration without looking at its references, which may be to what other sources have.
 * @throws CodedError `configuration_invalid`, also for faults inside its workflows
 */
export function parseStructure(value: unknown): PlatformConfiguration {
  const { data, faults } = parseSettings(platformConfigurationSchema, value);
  if (data) return data;
  // More would not be listed.
  return refuse(faults.length < listedAtMost ? [...faults, ...checkWrittenWorkflows(value)] : faults);
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

/** The faults of a configuration together with what others own, as they are and as they are shown. */
export function describedFaults(
  configuration: PlatformConfiguration,
  others: readonly StoredEntity[],
  { mayName }: DescribedFor = {},
): readonly DescribedFault[] {
  const { document, configuration: whole, conflicts, explain } = withOthers(configuration, others);
  const written = configuration.workflowTemplates.map(({ name }) => name);
  const faults = whole ? [...checkConfiguration(whole), ...checkWorkflows(whole, written)] : structuralFaults(document);
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
