import { z } from 'zod';

/** What a user sees of the own second factor. */
export const secondFactorSchema = z
  .object({
    available: z
      .boolean()
      .describe('Whether you can have one; `false` for users of an outside issuer')
      .meta({ example: true }),
    active: z.boolean().describe('Whether logins need a code').meta({ example: true }),
    required: z.boolean().describe('Whether the account policy demands it').meta({ example: false }),
    since: z.iso.datetime().nullable().describe('When it was set up').meta({ example: '2026-03-02T05:00:00.000Z' }),
    recoveryCodesLeft: z.int().describe('Recovery codes that were not used').meta({ example: 10 }),
  })
  .meta({ id: 'SecondFactor' });

/** What an administrator sees of the second factor of a user. */
export const userSecondFactorSchema = z
  .object({
    active: z.boolean().describe('Whether logins need a code').meta({ example: true }),
    since: z.iso.datetime().nullable().describe('When it was set up').meta({ example: '2026-03-02T05:00:00.000Z' }),
  })
  .meta({ id: 'UserSecondFactor' });

/** A secret that a code has to confirm. */
export const enrolmentSchema = z
  .object({
    secret: z.string().describe('In Base32, to be typed in').meta({ example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }),
    uri: z
      .string()
      .describe('The same as an address, to be shown as a QR code')
      .meta({ example: 'otpauth://totp/Waybill:admin?secret=GEZDGNBV...&issuer=Waybill' }),
  })
  .meta({ id: 'TotpEnrolment' });

/** The body with recovery codes. */
export const recoveryCodes = {
  kind: 'json',
  schema: z
    .object({
      recoveryCodes: z
        .array(z.string())
        .describe('Ten codes, each of which replaces a code of the app once. They are shown only now')
        .meta({ example: ['7K2M-9QWE-T4RX-H0ZP'] }),
    })
    .meta({ id: 'RecoveryCodes' }),
} as const;
