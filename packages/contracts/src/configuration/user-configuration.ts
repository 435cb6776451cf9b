import { z } from 'zod';
import { roleNameSchema } from '../roles/role-configuration.ts';
import { configuredUserNameSchema, plainNameSchema } from '../values/configured-names.ts';
import { networkSchema } from '../values/network.ts';
import { soundTextSchema } from '../values/sound-text.ts';
import { expirySchema } from './expiry.ts';
import { legacyAlgorithms } from './legacy-algorithm.ts';

/** How many sessions may be open at a time. */
export const sessionLimitSchema = z.int().min(1).max(100_000);

const password = z
  .union([z.string().min(1).max(1024), z.strictObject({ keep: z.literal(true) })])
  .describe(
    'In plain text; hashed when the configuration is applied, never stored. `{ keep: true }`: it stays as it is',
  );

/** A password of a configuration, or that it stays as it is. */
export type ConfiguredPassword = z.infer<typeof password>;

const passwordChangeRequired = z
  .boolean()
  .optional()
  .describe('The user must change the password at the next login, and again after the configuration sets another one');

const oidcLinkSchema = z.strictObject({
  issuer: z
    .url()
    .max(1_024)
    .describe('The issuer as `OIDC_ISSUER` has it, to the letter: a subject means nothing without its issuer'),
  subject: soundTextSchema.min(1).max(255).describe('The claim `sub` of the user there, to the letter'),
});

/** A user of the management interfaces. */
export const managerUserSchema = z.strictObject({
  name: configuredUserNameSchema,
  password: password.optional(),
  passwordChangeRequired,
  roles: z.array(roleNameSchema).min(1),
  enabled: z.boolean().default(true),
  oidc: oidcLinkSchema
    .optional()
    .describe('Who this user is at the issuer of OpenID Connect: such a login has the roles that stand here'),
});

/** How a user may log in over SFTP; keyboard-interactive is a way to give the password. */
export const authentications = ['password', 'key', 'both', 'either'] as const;

/** How a user may log in over SFTP. */
export type Authentication = (typeof authentications)[number];

/**
 * An SSH key of a user: an object, or a line, which is short for a key without comment and expiry. Not a union, whose errors do
 * not name the wrong field.
 */
export const publicKeySchema = z.preprocess(
  (value) => (typeof value === 'string' ? { key: value } : value),
  z.strictObject({
    key: z.string().describe('A line as in authorized_keys, without options'),
    comment: soundTextSchema.max(256).optional().describe('The purpose of the key; default: the comment in its line'),
    expires: expirySchema.optional().describe('The last day (UTC) on which it is valid, or an instant'),
  }),
);

const legacySchema = z.strictObject({
  allow: z.array(z.enum(legacyAlgorithms)).min(1),
  until: expirySchema.describe('The last day (UTC) on which they are allowed, or an instant'),
});

/** Addresses and networks from which users may log in. */
export const loginNetworksSchema = z
  .array(networkSchema)
  .min(1, 'needs at least one address or network: leave it out to allow any')
  .max(1_000);

/** A user of an actor, who logs in over SFTP and HTTP. */
export const partnerUserSchema = z.strictObject({
  name: configuredUserNameSchema,
  password: password.optional(),
  passwordChangeRequired,
  publicKeys: z
    .array(publicKeySchema)
    .default([])
    .describe('Lines as in authorized_keys, without options, or objects with more settings; empty ones are ignored'),
  authentication: z.enum(authentications).default('either').describe('What a login over SFTP requires'),
  legacyAlgorithms: legacySchema.optional().describe('Old SSH algorithms that the user may use for a limited time'),
  groups: z.array(plainNameSchema).default([]).describe('A group exists if it is defined, or if a user is in it'),
  maxSessions: sessionLimitSchema
    .optional()
    .describe(
      "Open SFTP sessions of this user on one server; default: the fewest that a group of the user sets, or the server's `maxSessionsPerUser`",
    ),
  networks: loginNetworksSchema
    .optional()
    .describe('The addresses and networks from which the user may log in; default: those of the groups, or any'),
  expires: expirySchema
    .optional()
    .describe('The last day (UTC) on which the user may log in, or an instant; default: never'),
  enabled: z.boolean().default(true),
});
