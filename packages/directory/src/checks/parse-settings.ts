import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { describedSettingsAtMost, explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import { placeOf } from '@waybill/contracts/errors/place-of';
import type { z } from 'zod';

/** What settings are, or what is wrong with them. */
export type ParsedSettings<Data> =
  | { readonly data: Data; readonly faults?: never; readonly paths?: never }
  | {
      readonly data?: never;
      readonly faults: readonly FieldError[];
      /** Where something is wrong; `undefined` if that is in too many places. */
      readonly paths: readonly (readonly PropertyKey[])[] | undefined;
    };

/** Parses settings, and describes what is wrong with them: a fault for each setting that does not exist, at its own place. */
export function parseSettings<S extends z.ZodType>(schema: S, value: unknown): ParsedSettings<z.output<S>> {
  const parsed = unlessTooMany(() => schema.safeParse(value, { error: explainSettingIssue }));
  if (!parsed) {
    return { faults: [{ field: '', message: 'The configuration has too many errors to list them' }], paths: undefined };
  }
  if (parsed.success) return { data: parsed.data };
  const { issues } = parsed.error;
  const isCountable = issues.every((issue) => unknownKeysOf(issue).length <= describedSettingsAtMost);
  return { faults: issues.flatMap(faultsOfIssue), paths: isCountable ? issues.flatMap(pathsOfIssue) : undefined };
}

function unknownKeysOf(issue: z.core.$ZodIssue): readonly string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [];
}

function pathsOfIssue(issue: z.core.$ZodIssue): PropertyKey[][] {
  const keys = unknownKeysOf(issue);
  return keys.length === 0 ? [issue.path] : keys.map((key) => [...issue.path, key]);
}

/** The parser passes its issues on as arguments of a call, of which the stack has room for some hundred thousand. */
export function unlessTooMany<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The faults of an issue that `explainSettingIssue` has described: one for each setting that does not exist, at its own place.
 * `explainSettingIssue` gives the first of them a line each; the last fault counts the others.
 */
function faultsOfIssue(issue: z.core.$ZodIssue): FieldError[] {
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
