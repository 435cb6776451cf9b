import { z } from 'zod';

/** An SSH key of a user of an actor, as the user and administrators see it. */
export const ownSshKeySchema = z
  .object({
    id: z
      .string()
      .describe('Name of the key in addresses: its fingerprint in base64url')
      .meta({ example: 'uNiVztksCsDhcc0u9e8BrDtDDGwqKY8XOzqjYPQdBGg' }),
    fingerprint: z
      .string()
      .describe('As `ssh-keygen -l` shows it')
      .meta({ example: 'SHA256:uNiVztksCsDhcc0u9e8BrDtDDGwqKY8XOzqjYPQdBGg' }),
    key: z.string().describe('Type and blob').meta({ example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI...' }),
    comment: z.string().optional().describe('The purpose of the key').meta({ example: 'nightly run' }),
    origin: z
      .enum(['configuration', 'own'])
      .describe('Who added it: the operators, whose keys cannot be deleted here, or the user')
      .meta({ example: 'own' }),
    addedAt: z.iso
      .datetime()
      .optional()
      .describe('When the user added it, UTC')
      .meta({ example: '2026-03-02T08:15:30.410Z' }),
    expires: z.iso
      .datetime()
      .optional()
      .describe('When it ends, UTC; never if absent')
      .meta({ example: '2028-01-01T00:00:00.000Z' }),
    lastUsedAt: z.iso
      .datetime()
      .optional()
      .describe('When it was last used for a login, to the minute, UTC')
      .meta({ example: '2026-03-03T06:30:00.000Z' }),
  })
  .meta({ id: 'OwnSshKey' });

/** An SSH key of the caller. */
export type OwnSshKey = z.infer<typeof ownSshKeySchema>;
