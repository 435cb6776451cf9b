import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { userNameSchema } from '../../values/user-name.ts';

/** The user of a request. */
export const frozenUserParamsSchema = z.object({
  userName: userNameSchema.describe('A user of an actor, in any Unicode form').meta({ example: 'acme' }),
});

/** Why a user is frozen. */
export const freezeReasonSchema = soundTextSchema
  .trim()
  .min(1)
  .max(500)
  .refine((text) => !/\p{Cc}/u.test(text), 'must have no control characters')
  .optional()
  .describe('Why, for those who see that the user is frozen, and for the audit log')
  .meta({ example: 'a password of the partner was published' });

/** Whether a user is frozen. */
export const userFreezeSchema = z
  .object({
    userName: z.string().describe('The user').meta({ example: 'acme' }),
    frozen: z.boolean().describe('Whether the user is blocked now').meta({ example: true }),
    frozenAt: z.iso
      .datetime()
      .nullable()
      .describe('Since when; null when not frozen')
      .meta({ example: '2026-03-01T10:15:00.000Z' }),
    frozenBy: z.string().nullable().describe('By which administrator; null when not frozen').meta({ example: 'admin' }),
    reason: z
      .string()
      .nullable()
      .describe('Why; null when not frozen, or when no reason was given')
      .meta({ example: 'a password of the partner was published' }),
  })
  .meta({ id: 'UserFreeze' });
