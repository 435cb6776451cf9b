import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import { explainIssue } from '@waybill/contracts/errors/explain-issue';
import type { z } from 'zod';
import { readSecretVariable, type Environment } from './secret-source.ts';
import { isSecretSchema } from './secret.ts';

/**
 * Reads a service's configuration from the environment. Empty variables count as absent, so that a compose file may pass
 * `NAME=` on. A secret is taken from its variable, or from the file that `<NAME>_FILE` names.
 * @throws CodedError `configuration_invalid`, which names every invalid variable but never its value
 */
export function loadConfig<S extends z.ZodObject>(schema: S, env: Environment): z.infer<S> {
  const { given, faults } = read(schema, env);
  const parsed = schema.safeParse(given, { error: explainIssue });
  if (parsed.success && faults.length === 0) return parsed.data;
  const unread = new Set(faults.map(({ setting }) => setting));
  const issues = (parsed.error?.issues ?? []).map((issue) => ({ name: String(issue.path[0]), issue }));
  const fields: FieldError[] = [
    ...faults.map(({ variable, fault }) => ({ field: variable, message: fault })),
    ...issues
      .filter(({ name }) => !unread.has(name))
      .map(({ name, issue }) => ({ field: name, message: name in given ? issue.message : 'is not set' })),
  ];
  throw new CodedError('configuration_invalid', {
    detail: `The environment is not valid: ${fields.map(({ field, message }) => `${field} ${message}`).join('; ')}`,
    fields,
  });
}

function read(schema: z.ZodObject, env: Environment) {
  const given: Record<string, string> = {};
  const faults: { setting: string; variable: string; fault: string }[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const source = isSecretSchema(field) ? readSecretVariable(env, name) : ordinary(env[name]);
    if (source === undefined) continue;
    if ('value' in source) given[name] = source.value;
    else faults.push({ setting: name, ...source });
  }
  return { given, faults };
}

function ordinary(value: string | undefined): { value: string } | undefined {
  return value === undefined || value === '' ? undefined : { value };
}
