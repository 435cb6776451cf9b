import { z } from 'zod';
import { suggestion } from './nearest-name.ts';

/** Words for objects and their members. */
interface Words {
  readonly holder: string;
  readonly holderOfTexts: string;
  readonly names: string;
}

const ofSettings: Words = { holder: 'a map of settings', holderOfTexts: 'a map of texts by name', names: 'settings' };
const ofRequests: Words = { holder: 'a JSON object', holderOfTexts: 'a JSON object', names: 'names' };

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
};

/**
 * Describes the error of a setting in a sentence without a subject: `must be SFTP or HTTP`. For
 * `safeParse(value, { error })`; a schema's own message takes precedence. Never contains the value, which may be a
 * secret.
 */
export function explainIssue(issue: z.core.$ZodRawIssue): string {
  return explain(issue, ofSettings);
}

/** How many unknown settings of one object are described, each with the nearest of all known names. */
export const describedSettingsAtMost = 100;

/** How many allowed values are listed beside the nearest one: the permissions are as many. */
const mostListed = 12;

/**
 * The same, with the nearest allowed value. The first `describedSettingsAtMost` unknown settings of an object have a line each, with
 * the nearest known name or all known names.
 */
export function explainSettingIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_value' && typeof issue.input === 'string') {
    const values = issue.values.map(String);
    const nearest = suggestion(issue.input, values);
    // A value is shown only if it is similar to a known one: any other could be a misplaced secret.
    // What is meant is enough, and would not be found after many others.
    if (nearest !== '' && values.length > mostListed) return `unknown value ${issue.input}${nearest}`;
    if (nearest === '' || issue.path?.at(-2) !== 'permissions') return `${explainIssue(issue)}${nearest}`;
    return `unknown permission ${issue.input}${nearest} Allowed: ${values.join(', ')}`;
  }
  if (issue.code !== 'unrecognized_keys') return explainIssue(issue);
  const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
  return issue.keys
    .slice(0, describedSettingsAtMost)
    .map((key) => `unknown key ${key}${suggestion(key, known) || `; known are ${known.join(', ')}`}`)
    .join('\n');
}

/** The same of a part of a request. */
export function explainRequestIssue(issue: z.core.$ZodRawIssue): string {
  return explain(issue, ofRequests);
}

/** Describes a parameter that a task does not have. */
export function explainUnknownParameter(task: string, name: string, known: readonly string[]): string {
  return `the task ${task} has no parameter ${name}${suggestion(name, known) || `; known are ${known.join(', ')}`}`;
}

function explain(issue: z.core.$ZodRawIssue, words: Words): string {
  const requirement = requirementOf(issue, words);
  if (issue.input !== undefined) return requirement;
  return issue.code === 'invalid_value' ? `is missing: ${requirement}` : 'is missing';
}

function requirementOf(issue: z.core.$ZodRawIssue, words: Words): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindOf(issue.expected, words)}`;
    case 'invalid_value':
      return `must be ${alternatives(issue.values)}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `must be ${alternatives(issue.options)}`
        : 'matches none of the allowed forms';
    case 'too_small':
      return sizeOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return sizeOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'unrecognized_keys':
      return `has unknown ${words.names}: ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return ['has an invalid name', ...issue.issues.slice(0, 1).map(({ message }) => message)].join(': ');
    default:
      return 'has an invalid format';
  }
}

function kindOf(expected: string, { holder, holderOfTexts }: Words): string {
  if (expected === 'object') return holder;
  return expected === 'record' ? holderOfTexts : (kinds[expected] ?? expected);
}

function sizeOf(origin: string, comparison: string, bound: number | bigint): string {
  if (origin === 'string' && bound === 1) {
    return comparison === 'at least' ? 'must not be empty' : 'must have at most 1 character';
  }
  if (origin === 'string') return `must have ${comparison} ${bound} characters`;
  if (origin === 'array') return `must have ${comparison} ${bound === 1 ? 'one entry' : `${bound} entries`}`;
  return `must be ${comparison} ${bound}`;
}

function alternatives(values: readonly unknown[]): string {
  const names = values.map(String);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
