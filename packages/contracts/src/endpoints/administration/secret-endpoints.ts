import { z } from 'zod';
import { secretNameSchema } from '../../configuration/secret-reference.ts';
import { plainNameSchema } from '../../values/configured-names.ts';
import { defineEndpoint } from '../endpoint.ts';

const path = '/platform-application/api/v1/secrets';
const tag = 'Configuration';
const item = `${path}/:name` as const;

const ownerSchema = z.strictObject({
  actor: plainNameSchema
    .optional()
    .describe('The actor whose client connections use it; absent: those of the platform')
    .meta({ example: 'acme' }),
});

const nameSchema = z.object({
  name: secretNameSchema.describe('As in `secret://<name>`').meta({ example: 'globex-password' }),
});

const secretSchema = z
  .object({
    name: secretNameSchema.describe('As in `secret://<name>`').meta({ example: 'globex-password' }),
    actor: z
      .string()
      .nullable()
      .describe('The actor whose client connections use it; null: those of the platform')
      .meta({ example: 'acme' }),
    keyId: z.string().describe('The key of `SECRET_KEYS` that encrypts it').meta({ example: '2026-03-02' }),
    updatedAt: z.iso.datetime().describe('When it was stored last').meta({ example: '2026-03-02T05:00:00.000Z' }),
  })
  .meta({ id: 'StoredSecret' });

/** List secrets, without their values. */
export const listSecretsEndpoint = defineEndpoint({
  id: 'listSecrets',
  tag,
  method: 'GET',
  path,
  summary: 'List secrets',
  description: 'By actor and name. No request shows a value.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  query: ownerSchema,
  responses: {
    200: {
      description: 'The secrets',
      body: { kind: 'json', schema: z.object({ items: z.array(secretSchema).describe('The secrets') }) },
    },
  },
  errors: [],
});

/** Store a secret. */
export const storeSecretEndpoint = defineEndpoint({
  id: 'storeSecret',
  tag,
  method: 'PUT',
  path: item,
  summary: 'Store a secret',
  description:
    'Encrypted with the first key of `SECRET_KEYS`. It replaces one with the same name. Client connections use it from the next connection on. ' +
    'SSH keys are stored with `waybill ssh-key import`, which knows their public part.',
  authentication: { kind: 'bearer', permission: 'configuration:write', ofActor: true },
  params: nameSchema,
  query: ownerSchema,
  body: {
    kind: 'json',
    schema: z
      .strictObject({ value: z.string().min(1).max(65_536).describe('At most 64 KiB').meta({ example: 'hunter2' }) })
      .meta({ id: 'SecretValue' }),
  },
  responses: {
    200: { description: 'It is replaced', body: { kind: 'none' } },
    201: { description: 'It is stored', body: { kind: 'none' } },
  },
  errors: ['configuration_invalid'],
});

/** Delete a secret. */
export const deleteSecretEndpoint = defineEndpoint({
  id: 'deleteSecret',
  tag,
  method: 'DELETE',
  path: item,
  summary: 'Delete a secret',
  description: 'Client connections that refer to it fail from then on.',
  authentication: { kind: 'bearer', permission: 'configuration:delete', ofActor: true },
  params: nameSchema,
  query: ownerSchema,
  responses: { 204: { description: 'It is deleted', body: { kind: 'none' } } },
  errors: ['secret_unknown'],
});
