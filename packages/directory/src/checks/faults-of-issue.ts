import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { placeOf } from '@waybill/contracts/errors/place-of';
import type { z } from 'zod';

/**
 * The faults of an issue that `explainSettingIssue` has described: one for each setting that does not exist, at its own place.
 * `explainSettingIssue` gives each of them a line.
 */
export function faultsOfIssue(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: placeOf(issue.path), message: issue.message }];
  return issue.keys.map((key, index) => ({
    field: placeOf([...issue.path, key]),
    message: issue.message.split('\n')[index] ?? '',
  }));
}
