import { z } from 'zod';

/** Text that a database can hold: well-formed Unicode without NUL. */
export const soundTextSchema = z
  .string()
  .refine((text) => !text.includes('\0'), 'must have no NUL character')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode');
