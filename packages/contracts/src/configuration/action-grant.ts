import { z } from 'zod';
import { grantedRightSchema } from '../tasks/granted-right.ts';
import { configuredPathSchema, plainNameSchema } from '../values/configured-names.ts';

/** Another VFS that the jobs of an action reach, of any actor, with their rights there. */
export const actionGrantSchema = z.strictObject({
  vfs: plainNameSchema.describe('The other VFS, of any actor'),
  path: configuredPathSchema
    .optional()
    .describe('The folder that is granted, with everything below it; the whole VFS if it is absent'),
  rights: z
    .array(grantedRightSchema)
    .min(1)
    .max(4)
    .describe('`upload` also creates, replaces and sets metadata; to move or rename needs `delete` at the source'),
});
