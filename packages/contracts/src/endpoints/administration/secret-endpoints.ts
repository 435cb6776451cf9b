import { z } from 'zod';
import { secretBytesAtMost, secretNameSchema } from '../../configuration/secret-reference.ts';
import { plainNameSchema } from '../../values/configured-names.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';
import { conditionsSchema, etag } from './collection-requests.ts';
import { changePreviewSchema, dryRunShape } from './configuration-views.ts';

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

/** What selects and sorts secrets in a list, besides the page. */
export const secretListShape = {
  actor: plainNameSchema.optional().describe('Only those of this actor').meta({ example: 'acme' }),
  name: soundTextSchema.max(128).optional().describe('Only this name; `*` matches any sequence'),
  sort: z
    .enum(['actor', '+actor', ' actor', '-actor', 'name', '+name', ' name', '-name'], {
      error: 'must be actor or name, after - for descending order',
    })
    .default('actor')
    .describe('By actor and name, those of the platform first, or by name and actor; ascending or descending'),
};

const value = z
  .string()
  .min(1)
  .max(secretBytesAtMost)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .describe('At most 64 KiB')
  .meta({ example: 'hunter2' });

/** As they were read; those of the address, if the body has them. */
const identityShape = {
  name: secretNameSchema.optional().describe('As in the address').meta({ example: 'globex-password' }),
  actor: plainNameSchema
    .nullable()
    .optional()
    .describe('As in the address; null: the platform')
    .meta({ example: 'acme' }),
};

const stored = { kind: 'json', schema: secretSchema } as const;

const storedOrPreviewed = {
  description: 'What is known of it, or what would change',
  body: { kind: 'json', schema: z.union([secretSchema, changePreviewSchema]) },
  headers: etag.partial(),
} as const;

const previewed = {
  description: 'What would change, of a dry run',
  body: { kind: 'json', schema: changePreviewSchema },
} as const;

/** List secrets, without their values. */
export const listSecretsEndpoint = defineEndpoint({
  id: 'listSecrets',
  tag,
  method: 'GET',
  path,
  summary: 'List secrets',
  description: 'One page at a time. No request shows a value.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  query: z.strictObject({ ...secretListShape, ...pageShape('Secrets') }),
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

/** Create a secret. */
export const createSecretEndpoint = defineEndpoint({
  id: 'createSecret',
  tag,
  method: 'POST',
  path,
  summary: 'Create a secret',
  description: 'As `PUT` stores it, but only if there is none of this name.',
  authentication: { kind: 'bearer', permission: 'configuration:write', ofActor: true },
  query: z.strictObject(dryRunShape),
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        name: secretSchema.shape.name,
        actor: identityShape.actor.describe('The actor whose client connections use it; absent: those of the platform'),
        value,
      })
      .meta({ id: 'NewSecret' }),
  },
  responses: {
    200: previewed,
    201: {
      description: 'It is stored',
      body: stored,
      headers: etag.extend({ location: z.string().describe('Its address') }),
    },
  },
  errors: ['configuration_invalid', 'entity_exists'],
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
  query: secretOwnerSchema.extend(dryRunShape),
  headers: conditionsSchema,
  body: { kind: 'json', schema: z.strictObject({ ...identityShape, value }).meta({ id: 'SecretValue' }) },
  responses: {
    200: storedOrPreviewed,
    201: { description: 'It is stored', body: stored, headers: etag },
  },
  errors: ['configuration_invalid', 'entity_exists', 'precondition_failed'],
});

/** Replace the value of a secret that there is. */
export const changeSecretEndpoint = defineEndpoint({
  id: 'changeSecret',
  tag,
  method: 'PATCH',
  path: item,
  summary: 'Replace the value of a secret',
  description:
    'A JSON merge patch (RFC 7396). The value is all that can be changed, and it is replaced as a whole: it cannot be read, so that there is nothing ' +
    'to merge with. Unlike `PUT`, it creates none.',
  authentication: { kind: 'bearer', permission: 'configuration:write', ofActor: true },
  params: nameSchema,
  query: secretOwnerSchema.extend(dryRunShape),
  headers: conditionsSchema.pick({ 'if-match': true }),
  body: {
    kind: 'json',
    mediaTypes: ['application/merge-patch+json', 'application/json'],
    schema: z.strictObject({ ...identityShape, value }).meta({ id: 'SecretPatch' }),
  },
  responses: { 200: storedOrPreviewed },
  errors: ['configuration_invalid', 'secret_unknown', 'precondition_failed'],
});

/** What says which secret is deleted, and how. */
export const secretRemovalSchema = secretOwnerSchema.extend({
  force: z.enum(['true', 'false']).optional().describe('Whether it is deleted although something refers to it'),
  ...dryRunShape,
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
  query: secretRemovalSchema,
  headers: conditionsSchema.pick({ 'if-match': true }),
  responses: { 200: previewed, 204: { description: 'It is deleted', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'secret_unknown', status: 204 },
  errors: ['secret_unknown', 'entity_in_use', 'precondition_failed'],
});
