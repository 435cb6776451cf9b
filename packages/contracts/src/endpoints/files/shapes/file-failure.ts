import { z } from 'zod';

/** The kinds of failures that area D distinguishes; the last is for internal errors. */
export const fileErrorTypeSchema = z.enum([
  'authentication',
  'authorization',
  'configuration',
  'request_syntax',
  'syntax_error',
  'io',
  'internal',
]);

/** A kind of failure that area D distinguishes. */
export type FileErrorType = z.infer<typeof fileErrorTypeSchema>;

/** The error body of area D. */
export const fileFailureSchema = z
  .object({
    result: z.literal('failed').describe('The request failed'),
    timestamp: z.iso.datetime().describe('Time of this response, UTC').meta({ example: '2026-03-02T08:15:30.410Z' }),
    message: z.string().describe('The error, as a fixed text').meta({ example: 'No filename specified' }),
    errorType: fileErrorTypeSchema.describe('Kind of failure').meta({ example: 'request_syntax' }),
    detail: z
      .string()
      .optional()
      .describe('Which part of the request is wrong, and why')
      .meta({ example: 'limit: must be a number' }),
    code: z
      .string()
      .optional()
      .describe('Stable name of a failure that concerns the account of the caller')
      .meta({ example: 'password_change_required' }),
  })
  .meta({ id: 'FileFailure' });

/** The error body of area D. */
export type FileFailure = z.infer<typeof fileFailureSchema>;
