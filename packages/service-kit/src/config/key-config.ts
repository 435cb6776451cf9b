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

/** The settings of a service whose signing keys are to be replaced regularly. */
export const keyRotationConfigShape = {
  KEY_ROTATION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(365)
    .describe(
      'Age at which the active signing key is to be replaced, which is reported and not done; 0 disables the report',
    ),
};
