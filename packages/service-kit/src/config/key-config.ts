import { z } from 'zod';

/** The settings of a service with signing keys. */
export const keyConfigShape = {
  KEY_RELOAD_SECONDS: z.coerce
    .number()
    .min(0.05)
    .max(86_400)
    .default(10)
    .describe('How often the files of the signing keys are read; changed keys are used without a restart'),
};
