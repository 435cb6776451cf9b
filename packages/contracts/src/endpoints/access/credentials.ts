import { z } from 'zod';
import { attemptedUserNameSchema } from '../../values/user-name.ts';

/** The name with which a user tries to log in, or proves a password: of any form, 1 to 255 characters. */
export function attemptedUser(description: string, example: string) {
  return attemptedUserNameSchema.describe(description).meta({ example });
}

/** A password that has been chosen: 1 to 1 024 characters. */
export function presentPassword(description: string, example: string) {
  return z.string().min(1).max(1_024).describe(description).meta({ example });
}

/** A password that is being chosen: 1 to 1 024 characters; what else it must be is a matter of the account policy. */
export const newPasswordSchema = z
  .string()
  .min(1)
  .max(1_024)
  .describe('The new password, which the account policy must allow')
  .meta({ example: 'correct horse battery' });

/** A code of a second factor: six digits of an authenticator app, or a recovery code. */
export const secondFactorCode = z
  .string()
  .min(1)
  .max(64)
  .describe('The code of your authenticator app, or a recovery code, if you have a second factor')
  .meta({ example: '492039' });

/** Refusals wherever a second factor has to be proved besides the password. */
export const secondFactorErrors = ['second_factor_required', 'second_factor_refused'] as const;
