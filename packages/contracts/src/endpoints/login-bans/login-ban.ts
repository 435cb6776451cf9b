import { z } from 'zod';

/** A ban after too many failed logins. */
export const loginBanSchema = z
  .object({
    door: z
      .enum(['http', 'manager', 'sftp'])
      .describe('Where logins are refused: over HTTP, to the manager, or over SFTP')
      .meta({ example: 'sftp' }),
    address: z
      .string()
      .describe("The client's IP address; of IPv6 the network that counts as one client")
      .meta({ example: '203.0.113.7' }),
    userName: z
      .string()
      .nullable()
      .describe('The user that is refused from there; null: every user')
      .meta({ example: 'acme' }),
    until: z.iso.datetime().describe('When it expires').meta({ example: '2026-03-01T10:15:00.000Z' }),
  })
  .meta({ id: 'LoginBan' });
