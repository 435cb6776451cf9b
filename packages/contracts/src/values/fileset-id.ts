import { z } from 'zod';

/**
 * The number of a stored file: a positive 64-bit integer, kept as a decimal string because JavaScript's numbers are
 * exact only to 2^53. Result bodies carry the string, listings a number.
 */
export const filesetIdSchema = z
  .string()
  .regex(/^[1-9]\d{0,18}$/u)
  .brand<'FilesetId'>();

/** The number of a stored file, as a decimal string. */
export type FilesetId = z.infer<typeof filesetIdSchema>;
