import { z } from 'zod';

/** The name of a secret: letters, digits, dots, dashes and underscores. */
export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/u, 'has 1 to 128 letters, digits, dots, dashes or underscores');
