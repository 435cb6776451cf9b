import { z } from 'zod';
import { secretBytesAtMost, secretNameSchema } from '../../configuration/secret-reference.ts';
import { plainNameSchema } from '../../values/configured-names.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';
import { conditionsSchema, etag } from './collection-requests.ts';

const path = '/platform-application/api/v1/secrets';
const tag = 'Configuration';
const item = `${path}/:name` as const;

/** Whose secret a request is about. */
export const secretOwnerSchema = z.strictObject({
  actor: plainNameSchema
    .optional()
    .describe('The actor whose client connections use it; absent: those of the platform')
    .meta({ example: 'acme' }),
});

const nameSchema = z.object({
  name: secretNameSchema.describe('As in `secret://<name>`').meta({ example: 'globex-password' }),
});

/** What is shown of a secret. */
export const secretSchema = z
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
  description: 'By actor and name, those of the platform first, one page at a time. No request shows a value.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  query: z.strictObject({
    actor: plainNameSchema.optional().describe('Only those of this actor').meta({ example: 'acme' }),
    ...pageShape('Secrets'),
  }),
  responses: {
    200: {
      description: 'A page of secrets',
      body: { kind: 'json', schema: pageSchema(secretSchema, 'The secrets of this page') },
    },
  },
  errors: [],
});

/** Show what is known of a secret. */
export const findSecretEndpoint = defineEndpoint({
  id: 'findSecret',
  tag,
  method: 'GET',
  path: item,
  summary: 'Show a secret, without its value',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  params: nameSchema,
  query: secretOwnerSchema,
  responses: {
    200: { description: 'What is known of the secret', body: { kind: 'json', schema: secretSchema }, headers: etag },
  },
  errors: ['secret_unknown'],
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
    'A private SSH key is better imported as one (`connection-ssh-keys`): then its public part is known.',
  authentication: { kind: 'bearer', permission: 'configuration:write', ofActor: true },
  params: nameSchema,
  query: secretOwnerSchema,
  headers: conditionsSchema,
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        value: z.string().min(1).max(secretBytesAtMost).describe('At most 64 KiB').meta({ example: 'hunter2' }),
      })
      .meta({ id: 'SecretValue' }),
  },
  responses: {
    200: { description: 'It is replaced', body: { kind: 'none' } },
    201: { description: 'It is stored', body: { kind: 'none' } },
  },
  errors: ['configuration_invalid', 'entity_exists', 'precondition_failed'],
});

/** Delete a secret. */
export const deleteSecretEndpoint = defineEndpoint({
  id: 'deleteSecret',
  tag,
  method: 'DELETE',
  path: item,
  summary: 'Delete a secret',
  description:
    'One that client connections or PGP keys refer to is refused with 409, which names them. With `force` it is deleted all the ' +
    'same, and they fail from then on.',
  authentication: { kind: 'bearer', permission: 'configuration:delete', ofActor: true },
  params: nameSchema,
  query: secretOwnerSchema.extend({
    force: z.enum(['true', 'false']).optional().describe('Whether it is deleted although something refers to it'),
  }),
  headers: conditionsSchema.pick({ 'if-match': true }),
  responses: { 204: { description: 'It is deleted', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'secret_unknown', status: 204 },
  errors: ['secret_unknown', 'entity_in_use', 'precondition_failed'],
});
