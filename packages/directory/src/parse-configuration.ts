import {
  platformConfigurationSchema,
  type PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import { explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import { checkConfiguration } from './checks/check-configuration.ts';
import { checkWorkflows } from './checks/check-workflows.ts';
import { placeOf } from './checks/place-of.ts';

const shownInDetail = 5;

/**
 * Parses a configuration: checks its structure and its references.
 * @throws CodedError `configuration_invalid`; its fields are places such as
 * `actors[0].connectionContracts[1].clauses[0].vfs`
 */
export function parseConfiguration(value: unknown): PlatformConfiguration {
  const parsed = platformConfigurationSchema.safeParse(value, { error: explainSettingIssue });
  if (!parsed.success) {
    const faults = parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key, index) => ({
            field: placeOf([...issue.path, key]),
            message: issue.message.split('\n')[index] ?? '',
          }))
        : [{ field: placeOf(issue.path), message: issue.message }],
    );
    return refuse([...faults, ...checkWorkflows(value)]);
  }
  const faults = [...checkConfiguration(parsed.data), ...checkWorkflows(value)];
  return faults.length > 0 ? refuse(faults) : parsed.data;
}

function refuse(fields: readonly FieldError[]): never {
  const shown = fields.slice(0, shownInDetail).map(({ field, message }) => (field ? `${field}: ${message}` : message));
  const more = fields.length > shownInDetail ? [`and ${fields.length - shownInDetail} more`] : [];
  throw new CodedError('configuration_invalid', {
    detail: `The configuration is not valid: ${[...shown, ...more].join('; ')}`,
    fields,
  });
}
