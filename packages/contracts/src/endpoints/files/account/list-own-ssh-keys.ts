import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { ownSshKeySchema } from '../../users/ssh-key.ts';

const ownSshKeysSchema = z
  .object({
    keys: z.array(ownSshKeySchema).describe('Your keys'),
    rules: z
      .object({
        allowed: z.boolean().describe('Whether you can add keys').meta({ example: true }),
        maximum: z.int().describe('Keys that you can add').meta({ example: 5 }),
        types: z
          .array(z.string())
          .describe('Allowed types')
          .meta({ example: ['ssh-ed25519'] }),
        rsaBits: z.int().describe('Bits that an RSA key needs').meta({ example: 3_072 }),
        expiresAfterDays: z.int().optional().describe('Days within which a key must expire').meta({ example: 365 }),
      })
      .describe('What the account policy allows'),
  })
  .meta({ id: 'OwnSshKeys' });

/** The SSH keys of a user, and what the account policy allows. */
export type OwnSshKeys = z.infer<typeof ownSshKeysSchema>;

/** Extension of the interface: the SSH keys of the caller. */
export const listOwnSshKeysEndpoint = defineEndpoint({
  id: 'listOwnSshKeys',
  tag: 'Files: account',
  method: 'GET',
  path: '/2.0/account/ssh-keys',
  summary: 'List your SSH keys',
  description: 'The keys of the configuration first, then those that you have added, oldest first.',
  authentication: { kind: 'login-session' },
  responses: {
    200: {
      description: 'The keys, and what the account policy allows',
      body: {
        kind: 'json',
        schema: ownSshKeysSchema,
      },
    },
  },
  errors: [],
});
