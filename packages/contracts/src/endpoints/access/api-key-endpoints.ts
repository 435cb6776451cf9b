import { z } from 'zod';
import { expirySchema } from '../../configuration/expiry.ts';
import { permissionPatternSchema } from '../../roles/permissions.ts';
import { roleNameSchema } from '../../roles/role-configuration.ts';
import { plainNameSchema, refuseUnseen } from '../../values/configured-names.ts';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { networkSchema } from '../../values/network.ts';
import { attemptedUserNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';

const path = '/platform-application/api/v1/api-keys';
const tag = 'Access';

const limits = {
  roles: z
    .array(roleNameSchema)
    .min(1)
    .max(20)
    .meta({ example: ['Users'] }),
  permissions: z
    .array(permissionPatternSchema)
    .min(1)
    .max(100)
    .meta({ example: ['jobs:read', 'jobs:run'] }),
  actors: z
    .array(plainNameSchema)
    .min(1)
    .max(1_000)
    .describe('The actors to whose objects and jobs it is limited')
    .meta({ example: ['acme'] }),
  networks: z
    .array(networkSchema)
    .min(1)
    .max(50)
    .describe('The addresses and networks that may use it')
    .meta({ example: ['192.0.2.0/24'] }),
};

const apiKeySchema = z
  .object({
    id: z.int().describe('Number of the key').meta({ example: 7 }),
    name: plainNameSchema.describe('Its purpose, unique among the keys of its owner').meta({ example: 'ci' }),
    user: z.string().describe('The manager user that it belongs to').meta({ example: 'admin' }),
    roles: z
      .array(roleNameSchema)
      .describe('Roles that it has')
      .meta({ example: ['Users'] }),
    permissions: z
      .array(permissionPatternSchema)
      .describe('Permissions that it has besides those of its roles')
      .meta({ example: ['jobs:run'] }),
    actors: limits.actors.nullable(),
    networks: limits.networks.nullable(),
    createdAt: z.iso.datetime().describe('When it was created').meta({ example: '2026-03-02T05:00:00.000Z' }),
    expiresAt: z.iso.datetime().describe('When it expires').meta({ example: '2026-06-01T00:00:00.000Z' }),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .describe('When it was used last, to a minute; null: never')
      .meta({ example: '2026-03-03T11:20:00.000Z' }),
    lastUsedFrom: z.string().nullable().describe('The address that used it last').meta({ example: '192.0.2.7' }),
  })
  .meta({ id: 'ApiKey' });

/** An API key, without its secret. */
export type ApiKeyView = z.infer<typeof apiKeySchema>;

const newKeySchema = z
  .strictObject({
    name: apiKeySchema.shape.name.superRefine(refuseUnseen),
    roles: limits.roles
      .optional()
      .describe(
        'Roles that lie within your rights; default: all roles that you have, or none if there are `permissions`',
      ),
    permissions: limits.permissions
      .optional()
      .describe(
        'Permissions that you have: a resource and a verb, or `*` for all verbs of the resource. The key has them besides its `roles`',
      ),
    actors: limits.actors.optional(),
    networks: limits.networks.optional(),
    expires: expirySchema
      .optional()
      .describe('The last day (UTC), or an instant, at most 366 days from now; default: in 90 days')
      .meta({ example: '2026-05-31' }),
  })
  .meta({ id: 'NewApiKey' });

/** What an API key is created with. */
export type NewApiKey = z.infer<typeof newKeySchema>;

/** Create an API key of the caller. */
export const createApiKeyEndpoint = defineEndpoint({
  id: 'createApiKey',
  tag,
  method: 'POST',
  path,
  summary: 'Create an API key',
  description:
    'The key is in this response only: the platform stores a hash. It can be sent wherever an access token can, and may do what both its scope and your roles allow at that time. An API key cannot create another one.',
  authentication: { kind: 'bearer' },
  body: { kind: 'json', limitValues: 2_000, schema: newKeySchema },
  responses: {
    201: {
      description: 'The key',
      body: {
        kind: 'json',
        schema: apiKeySchema
          .extend({ key: z.string().describe('Keep it secret').meta({ example: 'wbk_3q2-7wXJ...' }) })
          .meta({ id: 'CreatedApiKey' }),
      },
    },
  },
  errors: ['entity_exists', 'not_permitted'],
});

/** List API keys. */
export const listApiKeysEndpoint = defineEndpoint({
  id: 'listApiKeys',
  tag,
  method: 'GET',
  path,
  summary: 'List API keys',
  description:
    'Your own; with the permission `identities:read` those of all users, one page at a time. An API key without the permission gets itself alone.',
  authentication: { kind: 'bearer' },
  query: z.strictObject({
    user: attemptedUserNameSchema.optional().describe('Only those of this user').meta({ example: 'admin' }),
    ...pageShape('Keys'),
  }),
  responses: {
    200: {
      description: 'A page of keys, by number',
      body: { kind: 'json', schema: pageSchema(apiKeySchema, 'The keys of this page') },
    },
  },
  errors: [],
});

/** Revoke an API key. */
export const revokeApiKeyEndpoint = defineEndpoint({
  id: 'revokeApiKey',
  tag,
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Revoke an API key',
  description:
    'One of your own; with the permission `identities:delete` any. An API key without the permission revokes itself alone. Within a second no service accepts a revoked key.',
  authentication: { kind: 'bearer' },
  params: z.object({
    id: z.preprocess(digitsAsNumber, z.int().min(1)).describe('Number of the key').meta({ example: 7 }),
  }),
  responses: { 204: { description: 'It is revoked', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'entity_unknown', status: 204 },
  errors: ['entity_unknown', 'not_permitted'],
});
