import { CodedError } from '@waybill/contracts/coded-error';
import { explainIssue } from '@waybill/contracts/explain-issue';
import type { z } from 'zod';

/**
 * Reads a service's configuration from the environment. Empty variables count as absent, so that a compose file may pass
 * `NAME=` on.
 * @throws CodedError `configuration_invalid`, naming every variable that is wrong but never its value
 */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): z.infer<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) =>
      env[name] === undefined || env[name] === '' ? [] : [[name, env[name]]],
    ),
  );
  const parsed = schema.safeParse(given, { error: explainIssue });
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    field: String(issue.path[0]),
    message: String(issue.path[0]) in given ? issue.message : 'is not set',
  }));
  throw new CodedError('configuration_invalid', {
    detail: `The environment is not right: ${fields.map(({ field, message }) => `${field} ${message}`).join('; ')}`,
    fields,
  });
}
