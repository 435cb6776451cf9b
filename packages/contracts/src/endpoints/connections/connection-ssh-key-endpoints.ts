import { z } from 'zod';
import { sshKeyCommentSchema, sshKeyKinds, usualSshKeyComment } from '../../configuration/connections/ssh-key-kind.ts';
import { secretNameSchema } from '../../configuration/secret-reference.ts';
import { conditionsSchema, etag } from '../administration/collection-requests.ts';
import { changePreviewSchema } from '../administration/configuration-views.ts';
import {
  secretListShape,
  secretOwnerSchema,
  secretRemovalSchema,
  secretSchema,
} from '../administration/secret-endpoints.ts';
import { longTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';

const path = '/platform-application/api/v1/connection-ssh-keys';
const tag = 'Configuration';
const item = `${path}/:name` as const;

/** The largest file of a private key that is imported: an RSA key of 16384 bits needs less. */
const privateKeyCharactersAtMost = 16 * 1024;

const nameSchema = z.object({
  name: secretNameSchema.describe('As in `secret://<name>`').meta({ example: 'globex-key' }),
});

const comment = sshKeyCommentSchema
  .default(usualSshKeyComment)
  .describe(`The comment of the public key; \`${usualSshKeyComment}\` by default`)
  .meta({ example: 'waybill@example.org' });

const keySchema = z
  .object({
    ...secretSchema.shape,
    ...nameSchema.shape,
    publicKey: z
      .string()
      .describe('The line for the partner: type, blob and comment')
      .meta({ example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI... waybill' }),
    fingerprint: z
      .string()
      .describe('As `ssh-keygen -l` shows it')
      .meta({ example: 'SHA256:uNiVztksCsDhcc0u9e8BrDtDDGwqKY8XOzqjYPQdBGg' }),
    usedBy: z
      .array(
        z.object({
          connection: z.string().describe('The name of the client connection').meta({ example: 'globex-sftp' }),
          keyExpires: z.iso
            .datetime()
            .nullable()
            .describe('When the partner stops accepting the key, as the client connection says; null: never')
            .meta({ example: '2028-01-01T00:00:00.000Z' }),
        }),
      )
      .describe('The client connections that log in with it'),
  })
  .meta({ id: 'ConnectionSshKey' });

/** What is known of the private SSH key of client connections. */
export type ConnectionSshKey = z.infer<typeof keySchema>;

const stored = { kind: 'json', schema: keySchema } as const;
const reading = { kind: 'bearer', permission: 'configuration:read', ofActor: true } as const;

/** What the requests that store a key have in common. */
const storing = {
  tag,
  authentication: { kind: 'bearer', permission: 'configuration:write', ofActor: true },
  params: nameSchema,
  query: secretOwnerSchema,
  headers: conditionsSchema,
  responses: {
    200: { description: 'It replaces an earlier secret', body: stored, headers: etag },
    201: { description: 'It is stored', body: stored, headers: etag },
  },
  errors: ['configuration_invalid', 'entity_exists', 'precondition_failed', 'too_many_requests'],
} as const;

/** List the SSH keys of client connections, without the private part. */
export const listConnectionSshKeysEndpoint = defineEndpoint({
  id: 'listConnectionSshKeys',
  tag,
  method: 'GET',
  path,
  summary: 'List the SSH keys of client connections',
  description: 'Those that were generated or imported, one page at a time. No request shows a private key.',
  authentication: reading,
  query: z.strictObject({ ...secretListShape, ...pageShape('Keys') }),
  responses: {
    200: {
      description: 'A page of keys',
      body: { kind: 'json', schema: pageSchema(keySchema, 'The keys of this page') },
    },
  },
  errors: [],
});

/** Show an SSH key of client connections, without the private part. */
export const findConnectionSshKeyEndpoint = defineEndpoint({
  id: 'findConnectionSshKey',
  tag,
  method: 'GET',
  path: item,
  summary: 'Show the public part of an SSH key of client connections',
  authentication: reading,
  params: nameSchema,
  query: secretOwnerSchema,
  responses: { 200: { description: 'The key', body: stored, headers: etag } },
  errors: ['secret_unknown'],
});

/** Generate an SSH key for client connections. */
export const generateConnectionSshKeyEndpoint = defineEndpoint({
  ...storing,
  id: 'generateConnectionSshKey',
  method: 'POST',
  path: `${item}/generate`,
  summary: 'Generate an SSH key for client connections',
  description:
    'The private key is stored as the secret of this name, in place of an earlier one, and is never shown. ' +
    'One key at a time is generated or imported in each process; 429 if too many requests wait.',
  body: {
    kind: 'json',
    limitBytes: longTextsBytes,
    schema: z
      .strictObject({
        kind: z
          .enum(sshKeyKinds)
          .default('ed25519')
          .describe('`ecdsa` is on P-256, and `rsa` has 4096 bits: for old servers')
          .meta({ example: 'ed25519' }),
        comment,
      })
      .meta({ id: 'ConnectionSshKeyGeneration' }),
  },
});

/** Import an SSH key for client connections. */
export const importConnectionSshKeyEndpoint = defineEndpoint({
  ...storing,
  id: 'importConnectionSshKey',
  method: 'PUT',
  path: item,
  summary: 'Import an SSH key for client connections',
  description:
    "A private key in OpenSSH's format, PEM (also PKCS #8) or version 2 of PuTTY's format: Ed25519, ECDSA on a NIST curve, or RSA with " +
    '2048 to 16384 bits. It is stored as the secret of this name, in place of an earlier one, without its passphrase, and is never shown. The ' +
    'public key is derived from it. A passphrase is used once, and may cost at most 100 rounds of bcrypt or 1,000,000 iterations. ' +
    'One key at a time is generated or imported in each process; 429 if too many requests wait.',
  body: {
    kind: 'json',
    limitBytes: longTextsBytes,
    schema: z
      .strictObject({
        privateKey: z
          .string()
          .min(1)
          .max(privateKeyCharactersAtMost)
          .describe('The file of the private key; at most 16 KiB')
          .meta({ example: '-----BEGIN OPENSSH PRIVATE KEY-----\n...' }),
        passphrase: z.string().min(1).max(1_024).optional().describe('Unlocks the private key; it is not stored'),
        comment,
      })
      .meta({ id: 'ConnectionSshKeyImport' }),
  },
});

/** Delete an SSH key of client connections. */
export const deleteConnectionSshKeyEndpoint = defineEndpoint({
  id: 'deleteConnectionSshKey',
  tag,
  method: 'DELETE',
  path: item,
  summary: 'Delete an SSH key of client connections',
  description:
    'It deletes the secret of this name, if it is such a key. One that client connections refer to is refused with 409, which names them. With ' +
    '`force` it is deleted all the same, and they fail from then on.',
  authentication: { kind: 'bearer', permission: 'configuration:delete', ofActor: true },
  params: nameSchema,
  query: secretRemovalSchema,
  headers: conditionsSchema.pick({ 'if-match': true }),
  responses: {
    200: {
      description: 'What would change, of a dry run',
      body: { kind: 'json', schema: changePreviewSchema },
    },
    204: { description: 'It is deleted', body: { kind: 'none' } },
  },
  alreadyDeleted: { code: 'secret_unknown', status: 204 },
  errors: ['secret_unknown', 'entity_in_use', 'precondition_failed'],
});
