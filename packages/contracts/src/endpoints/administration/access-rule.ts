import { z } from 'zod';

/** What can decide about an operation of a user on a path, in the order in which it is asked. */
export const accessRuleKinds = [
  'user',
  'authentication',
  'network',
  'account',
  'server',
  'address',
  'connection-contract',
  'clause',
  'group',
  'mount',
  'virtual-file-system',
  'permission',
  'limit',
] as const;

/** One rule that took part in a decision about an operation. */
export const accessRuleSchema = z
  .object({
    rule: z
      .enum(accessRuleKinds)
      .describe('What has decided: an object of the configuration, a part of one, or a ban')
      .meta({ example: 'permission' }),
    name: z.string().describe('Name of the object; of a permission, the path of its rule').meta({ example: '/outbox' }),
    allows: z.boolean().describe('False for a rule that refuses the operation').meta({ example: true }),
    why: z
      .string()
      .describe('The reason in a sentence')
      .meta({ example: 'The rule on /outbox of acme-files grants download to user acme' }),
  })
  .meta({ id: 'AccessRule' });

/** One rule that took part in a decision about an operation. */
export type AccessRule = z.infer<typeof accessRuleSchema>;
