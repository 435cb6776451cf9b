import { z } from 'zod';
import { errorCodes, type ErrorCode } from './error-codes.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

const position = z.int().min(1).optional();

/** A wrong field of a request or of a document in it. */
export const fieldErrorSchema = z.object({
  field: z.string(),
  message: z.string(),
  index: z.int().min(0).optional().describe('The character of its text that is wrong, from 0, if one is'),
  line: position.describe('Of a document in YAML: its line, from 1'),
  column: position.describe('Of a document in YAML: its column, from 1'),
});

/** The error body of areas A, B and C: problem details as in RFC 9457, media type `application/problem+json`. */
export const problemSchema = z
  .object({
    type: z.string().describe('Address of the error code in the documentation').meta({ example: 'about:blank' }),
    title: z.string().describe('What happened; the same text for every occurrence of the code'),
    status: z.int().describe('The HTTP status, repeated').meta({ example: 400 }),
    detail: z.string().describe('What happened this time, with the affected object'),
    code: z.enum(codes).describe('Stable error code'),
    errors: z.array(fieldErrorSchema).optional().describe('Each field that is wrong, and why'),
    requestId: z.string().describe('Id of this request in the logs'),
  })
  .meta({ id: 'Problem' });

/** Problem details of RFC 9457. */
export type Problem = z.infer<typeof problemSchema>;
