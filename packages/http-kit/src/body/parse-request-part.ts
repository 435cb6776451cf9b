import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainRequestIssue } from '@waybill/contracts/errors/explain-issue';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { z } from 'zod';

const subjects = { address: 'The address', query: 'The query', headers: 'The head', body: 'The body' } as const;

/**
 * Validates one part of a request; without a schema the result is empty.
 * @throws CodedError `validation_failed`, naming every field that is wrong
 */
export function parseRequestPart(part: keyof typeof subjects, schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { error: explainRequestIssue });
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) =>
    part === 'query' && issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({ field: name, message: unknownParameter(name, schema) }))
      : [{ field: issue.path.map(String).join('.'), message: issue.message }],
  );
  const summary = fields
    .map(({ field, message }) => (field === '' ? `${subjects[part]} ${message}` : `${field}: ${message}`))
    .join('; ');
  throw new CodedError('validation_failed', { detail: summary, fields });
}

function unknownParameter(name: string, schema: z.ZodType): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return `is not a parameter of this request${suggestion(name, known)}`;
}
