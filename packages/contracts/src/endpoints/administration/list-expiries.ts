import { z } from 'zod';
import { plainNameSchema } from '../../values/configured-names.ts';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';

/** What can expire. */
export const expiringKinds = [
  'api-key',
  'user-ssh-key',
  'connection-ssh-key',
  'connection-certificate',
  'pgp-key',
  'legacy-algorithms',
  'tls-certificate',
  'signing-key',
  'host-key',
] as const;

const expirySchema = z
  .object({
    kind: z
      .enum(expiringKinds)
      .describe(
        '`user-ssh-key`: of a user of an actor; `connection-ssh-key`: the private key of a client connection (`keyExpires`); ' +
          '`connection-certificate`: an authority that a client connection trusts (`certificateAuthorities`); ' +
          '`legacy-algorithms`: until when a user may log in with them; `tls-certificate`: of the HTTP interface of a process; ' +
          '`signing-key`, `host-key`: when the key is to be replaced by plan; it signs after this time, too',
      ),
    name: z
      .string()
      .describe(
        'The name of the key, the user or the client connection; the service of a certificate; the purpose of a signing key',
      )
      .meta({ example: 'acme' }),
    actor: z.string().nullable().describe('The actor that it belongs to; null: none').meta({ example: 'acme' }),
    detail: z
      .string()
      .describe('Which one, such as its fingerprint, or the subject of a certificate')
      .meta({ example: 'SHA256:uNiVztksCsDhcc0u9e8B…' }),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('When it expires; null for a PGP key or a certificate that cannot be read')
      .meta({ example: '2026-06-01T00:00:00.000Z' }),
    state: z
      .enum(['expired', 'soon', 'valid'])
      .describe('`soon`: within 30 days; a key that cannot be read counts as expired'),
    process: z
      .object({
        service: z.string().meta({ example: 'http-files' }),
        node: z.string().describe('The peer or node').meta({ example: 'peer1' }),
        role: z.string().nullable().describe('What the process does, if the service has several kinds of them'),
      })
      .nullable()
      .describe('The process that has reported it; null for what is stored in the database'),
  })
  .meta({ id: 'Expiry' });

/** Something that expires. */
export type Expiry = z.infer<typeof expirySchema>;

/** Lists what expires. */
export const listExpiriesEndpoint = defineEndpoint({
  id: 'listExpiries',
  tag: 'Configuration',
  method: 'GET',
  path: '/platform-application/api/v1/expiries',
  summary: 'List what expires',
  description:
    'Keys and permissions with an end, the first to expire first, one page at a time; what never expires is left out. API keys are your own, or those of ' +
    'all users with the permission `identities:read`. Each running process reports the certificate of its HTTP interface and the ' +
    'signing keys that are to be replaced: what a process has reported is left out 15 seconds after its last report.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  query: z.strictObject({
    withinDays: z
      .preprocess(digitsAsNumber, z.int().min(0).max(36_500))
      .optional()
      .describe('Only what has expired, or expires within so many days')
      .meta({ example: 30 }),
    actor: plainNameSchema.optional().describe('Only those of this actor').meta({ example: 'acme' }),
    ...pageShape('Entries'),
  }),
  responses: {
    200: {
      description: 'A page of what expires',
      body: { kind: 'json', schema: pageSchema(expirySchema, 'What expires') },
    },
  },
  errors: [],
});
