import { z } from 'zod';

/** The address of a resumable upload. */
export const resumableUploadIdSchema = z.object({
  upload: z
    .string()
    .describe('Name of the upload, as in `Location`')
    .meta({ example: '4be0643f-1d98-573b-97cd-ca98a65347dd' }),
});
