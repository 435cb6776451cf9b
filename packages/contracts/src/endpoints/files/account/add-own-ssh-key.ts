import { z } from 'zod';
import { expirySchema } from '../../../configuration/expiry.ts';
import { soundTextSchema } from '../../../values/sound-text.ts';
import { longTextsBytes } from '../../body-limits.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { ownSshKeySchema } from '../../users/ssh-key.ts';

/** Extension of the interface: add an SSH key. */
export const addOwnSshKeyEndpoint = defineEndpoint({
  id: 'addOwnSshKey',
  tag: 'Files: account',
  method: 'POST',
  path: '/2.0/account/ssh-keys',
  summary: 'Add an SSH key',
  description: 'You can log in with it over SFTP at once, on every gateway. The account policy may forbid it.',
  authentication: { kind: 'login-session' },
  body: {
    kind: 'json',
    limitBytes: longTextsBytes,
    schema: z
      .strictObject({
        key: z
          .string()
          .min(1)
          .max(16_384)
          .describe('A line as in authorized_keys, without options')
          .meta({ example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB2z... nightly run' }),
        comment: soundTextSchema
          .max(256)
          .optional()
          .describe('The purpose of the key; default: the comment in its line')
          .meta({ example: 'nightly run' }),
        expires: expirySchema
          .optional()
          .describe('The last day (UTC) on which it is valid, or an instant; default: as late as the policy allows')
          .meta({ example: '2027-12-31' }),
      })
      .meta({ id: 'NewSshKey' }),
  },
  responses: { 201: { description: 'The new key', body: { kind: 'json', schema: ownSshKeySchema } } },
  errors: ['ssh_keys_not_allowed', 'ssh_key_refused', 'already_exists'],
});
