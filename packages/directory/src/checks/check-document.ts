import {
  platformConfigurationSchema,
  type PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import { explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import type { StoredEntity } from '../sources/stored-entities.ts';
import { type DescribedFor, withOthers } from '../sources/with-others.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkWorkflows, checkWrittenWorkflows } from './check-workflows.ts';
import { faultsOfIssue } from './faults-of-issue.ts';

const shownInDetail = 5;

/**
 * Parses a configuration without looking at its references, which may be to what other sources have.
 * @throws CodedError `configuration_invalid`, also for faults inside its workflows
 */
export function parseStructure(value: unknown): PlatformConfiguration {
  const parsed = platformConfigurationSchema.safeParse(value, { error: explainSettingIssue });
  if (parsed.success) return parsed.data;
  return refuse([...parsed.error.issues.flatMap(faultsOfIssue), ...checkWrittenWorkflows(value)]);
}

/**
 * Checks a configuration together with what other sources and the API own.
 * @throws CodedError `configuration_invalid` for references without a target in either of them, and for names that others have
 */
export function checkReferences(
  configuration: PlatformConfiguration,
  others: readonly StoredEntity[],
  describedFor: DescribedFor = {},
): void {
  const faults = faultsAmong(configuration, others, describedFor);
  if (faults.length > 0) refuse(faults);
}

/** The faults of a configuration together with what others own. Those of others have no place, and name what has them. */
function faultsAmong(
  configuration: PlatformConfiguration,
  others: readonly StoredEntity[],
  describedFor: DescribedFor,
): readonly FieldError[] {
  return shownOf(describedFaults(configuration, others, describedFor));
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
  if (conflicts.length > 0) return conflicts.map((fault) => ({ fault, shown: fault }));
  const written = configuration.workflowTemplates.map(({ name }) => name);
  const faults = whole ? [...checkConfiguration(whole), ...checkWorkflows(whole, written)] : structuralFaults(document);
  const described = faults.map((fault) => ({ fault: explain(fault), shown: explain(fault, mayName) }));
  return [...new Map(described.map((one) => [JSON.stringify(one.fault), one])).values()];
}

function structuralFaults(document: unknown): FieldError[] {
  const { error } = platformConfigurationSchema.safeParse(document, { error: explainSettingIssue });
  return error ? error.issues.flatMap(faultsOfIssue) : [];
}

function refuse(fields: readonly FieldError[]): never {
  const shown = fields.slice(0, shownInDetail).map(({ field, message }) => (field ? `${field}: ${message}` : message));
  const more = fields.length > shownInDetail ? [`and ${fields.length - shownInDetail} more`] : [];
  throw new CodedError('configuration_invalid', {
    detail: `The configuration is not valid: ${[...shown, ...more].join('; ')}`,
    fields,
  });
}
