import { z } from 'zod';
import {
  attemptedUser,
  newPasswordSchema,
  presentPassword,
  secondFactorCode,
  secondFactorErrors,
} from '../../access/credentials.ts';
import { fewTextsBytes } from '../../body-limits.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { fileResultSchema } from '../shapes/file-result.ts';

/** Extension of the interface: change the password of a user, who may be unable to log in with it any more. */
export const changeOwnPasswordEndpoint = defineEndpoint({
  id: 'changeOwnPassword',
  tag: 'Files: account',
  method: 'PUT',
  path: '/2.0/account/password',
  summary: 'Change your password',
  description:
    'Needs no login session, because a password that has expired opens none: the present password is the proof. All login ' +
    'sessions of the user, over HTTP and with this password over SFTP, end within a second. Wrong passwords count as failed logins.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z
      .strictObject({
        username: attemptedUser('Name of the user', 'acme'),
        currentPassword: presentPassword('The present password', 'acme-demo'),
        code: secondFactorCode.optional(),
        newPassword: newPasswordSchema,
      })
      .meta({ id: 'OwnPasswordChange' }),
  },
  // The present password is another one then.
  repeatable: false,
  responses: {
    200: { description: 'Changed: log in with the new password', body: { kind: 'json', schema: fileResultSchema } },
  },
  errors: ['invalid_credentials', 'too_many_requests', 'password_refused', ...secondFactorErrors],
});
