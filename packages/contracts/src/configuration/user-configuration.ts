import { z } from 'zod';
import { roleSchema } from '../resources.ts';
import { plainNameSchema } from './names.ts';
import { sessionLimitSchema } from './session-limit.ts';

const password = z
  .string()
  .min(1)
  .max(1024)
  .describe('In clear: hashed when the configuration is applied, never stored');

/** A user of the management interfaces. */
export const managerUserSchema = z.strictObject({
  name: plainNameSchema,
  password,
  roles: z.array(roleSchema).min(1),
  enabled: z.boolean().default(true),
});

/** A user of an actor, who logs in over SFTP and HTTP. */
export const partnerUserSchema = z.strictObject({
  name: plainNameSchema,
  password: password.optional(),
  publicKeys: z
    .array(z.string())
    .default([])
    .describe('Lines as in authorized_keys, without options; empty ones are passed over'),
  groups: z.array(plainNameSchema).default([]),
  maxSessions: sessionLimitSchema
    .optional()
    .describe("Open SFTP sessions of this user on one server; the server's `maxSessionsPerUser` unless said"),
  enabled: z.boolean().default(true),
});
