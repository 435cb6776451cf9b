import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { describedSettingsAtMost } from '@waybill/contracts/errors/explain-issue';
import { placeOf } from '@waybill/contracts/errors/place-of';
import type { z } from 'zod';

/**
 * The faults of an issue that `explainSettingIssue` has described: one for each setting that does not exist, at its own place.
 * `explainSettingIssue` gives the first of them a line each; the last fault counts the others.
 */
export function faultsOfIssue(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: placeOf(issue.path), message: issue.message }];
  const messages = issue.message.split('\n');
  const described = issue.keys.slice(0, describedSettingsAtMost).map((key, index) => ({
    field: placeOf([...issue.path, key]),
    message: messages[index] ?? '',
  }));
  const more = issue.keys.length - described.length;
  return more > 0
    ? [...described, { field: placeOf(issue.path), message: `has ${more} more unknown keys` }]
    : described;
}
