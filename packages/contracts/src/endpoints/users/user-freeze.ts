import { z } from 'zod';
import { userNameSchema } from '../../values/user-name.ts';

/** The user of a request. */
export const frozenUserParamsSchema = z.object({
  userName: userNameSchema.describe('A user of an actor, in any Unicode form').meta({ example: 'acme' }),
});

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
  })
  .meta({ id: 'UserFreeze' });
