import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';

const listedAtMost = 20;

/**
 * Refuses a body whose fields would be ignored, because the parameters of the endpoint are in the query. No bytes, and the
 * `{}` that some clients send with every request, are accepted.
 * @throws CodedError `validation_failed`, naming the fields
 */
export function refuseBody(bytes: Buffer, query: z.ZodType | undefined): void {
  const names = namesIn(bytes.toString().trim());
  if (names?.length === 0) return;
  const known = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  const fields = (names ?? []).slice(0, listedAtMost).map((field) => ({
    field: field.slice(0, 100),
    message: known.includes(field) ? 'belongs in the query' : 'is not a field of this request',
  }));
  const listed = fields.map(({ field, message }) => `${field}: ${message}`);
  throw new CodedError('validation_failed', { detail: ['The request takes no body', ...listed].join('; '), fields });
}

/** Undefined: it is something other than a JSON object. */
function namesIn(text: string): string[] | undefined {
  if (text === '') return [];
  try {
    return Object.keys(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  } catch {
    return undefined;
  }
}
