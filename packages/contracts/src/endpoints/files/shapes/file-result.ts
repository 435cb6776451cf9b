import { z } from 'zod';

/** The response of area D after a change to a file. */
export const fileResultSchema = z
  .object({
    result: z.literal('ok').describe('The request succeeded'),
    timestamp: z.iso.datetime().describe('Time of this response, UTC').meta({ example: '2026-03-02T08:15:30.410Z' }),
    message: z.string().describe('What was done').meta({ example: 'Upload successful' }),
    fileset: z
      .string()
      .optional()
      .describe('Number of the file, as a string because it has 64 bits')
      .meta({ example: '1024' }),
  })
  .meta({ id: 'FileResult' });

/** What area D answers when something was done to a file. */
export type FileResult = z.infer<typeof fileResultSchema>;

/** The response to a deletion, for clients that did not receive it: made when they find that nothing is left to delete. */
export function deletedResult(): z.output<typeof fileResultSchema> {
  return { result: 'ok', timestamp: new Date().toISOString(), message: 'Deleted' };
}
