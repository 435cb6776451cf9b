import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { actorFilter, maxItemShape } from './session-filters.ts';

const listedFreezeSchema = z
  .object({
    userName: z.string().describe('The user').meta({ example: 'acme' }),
    actor: z
      .string()
      .nullable()
      .describe('The actor of the user; null if the user was removed from the configuration')
      .meta({ example: 'acme' }),
    frozenAt: z.iso.datetime().describe('Since when').meta({ example: '2026-03-01T10:15:00.000Z' }),
    frozenBy: z.string().describe('By which administrator').meta({ example: 'admin' }),
    reason: z
      .string()
      .nullable()
      .describe('Why; null when no reason was given')
      .meta({ example: 'a password of the partner was published' }),
  })
  .meta({ id: 'ListedUserFreeze' });

/** A frozen user in a list. */
export type ListedFreeze = z.infer<typeof listedFreezeSchema>;

/** Extension of the interface: the users that are frozen. */
export const listUserFreezesEndpoint = defineEndpoint({
  id: 'listUserFreezes',
  tag: 'Users',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/user-freezes',
  summary: 'List frozen users',
  description:
    'The last one that was frozen comes first. Users who were removed from the configuration stay frozen: roles that are limited to ' +
    'actors do not see them.',
  authentication: { kind: 'bearer', permission: 'freezes:read', ofActor: true },
  query: z.strictObject({ ...actorFilter, ...maxItemShape('users') }),
  responses: {
    200: {
      description: 'The frozen users',
      body: {
        kind: 'json',
        schema: z
          .object({
            totalCount: z.int().min(0).describe('Number of frozen users that match').meta({ example: 1 }),
            freezes: z.array(listedFreezeSchema).describe('The requested ones'),
          })
          .meta({ id: 'UserFreezes' }),
      },
    },
  },
  errors: [],
});
