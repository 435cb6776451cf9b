import { z } from 'zod';
import { descriptionSchema, plainNameSchema } from '../../values/configured-names.ts';

/** The name of the policy of all users whose actor names no other. */
export const defaultAccountPolicy = 'default';

/** What a password must be, and how long it may be used. NIST SP 800-63B section 3.1.1. */
export const passwordRulesSchema = z.strictObject({
  minimumLength: z.int().min(8).max(128).default(12).describe('Characters that a password needs'),
  blockCommon: z
    .boolean()
    .default(true)
    .describe('Refuse passwords that are guessed first: common ones, repetitions and sequences'),
  history: z
    .int()
    .min(0)
    .max(24)
    .default(0)
    .describe('Earlier passwords that a user may not choose again; the present one never'),
  expiresAfterDays: z
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe('Days after which a password has to be changed; never if absent'),
});

/** What a password must be. */
export type PasswordRules = z.infer<typeof passwordRulesSchema>;

/** Types of SSH keys that users may log in with. */
const sshKeyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const;

/** Which SSH keys users may add by themselves. */
export const sshKeyRulesSchema = z.strictObject({
  allowed: z.boolean().default(false).describe('Whether users may add SSH keys to their accounts'),
  maximum: z.int().min(1).max(100).default(5).describe('Keys that a user may add'),
  types: z
    .array(z.enum(sshKeyTypes))
    .min(1)
    .default([...sshKeyTypes])
    .describe('Allowed types'),
  rsaBits: z.int().min(2_048).max(16_384).default(3_072).describe('Bits that an RSA key needs'),
  expiresAfterDays: z.int().min(1).max(3_650).optional().describe('Days within which a key must expire'),
});

/** Which SSH keys users may add. */
export type SshKeyRules = z.infer<typeof sshKeyRulesSchema>;

/** Rules for the accounts of users, under a name that actors refer to. */
export const accountPolicySchema = z.strictObject({
  name: plainNameSchema,
  description: descriptionSchema,
  passwords: passwordRulesSchema.prefault({}),
  sshKeys: sshKeyRulesSchema.prefault({}),
  secondFactor: z
    .enum(['optional', 'required'])
    .optional()
    .describe('Whether manager users must have a second factor; `optional` by default. Only in the policy `default`'),
  partnerSecondFactor: z
    .enum(['off', 'optional', 'required'])
    .optional()
    .describe(
      'Whether users of partners may or must have a second factor for logins with a password over HTTP and SFTP; `off` by default: codes are not asked for',
    ),
});

/** Rules for the accounts of users. */
export type AccountPolicy = z.infer<typeof accountPolicySchema>;
