import { z } from 'zod';
import { configuredNameSchema, descriptionSchema, plainNameSchema } from '../values/configured-names.ts';
import { builtInRoleSchema } from './built-in-roles.ts';
import { permissionPatternSchema } from './permissions.ts';

/** The name of a role. */
export const roleNameSchema = configuredNameSchema;

/** A role besides those that are built in. */
export const roleConfigurationSchema = z.strictObject({
  name: roleNameSchema.refine((name) => !builtInRoleSchema.safeParse(name).success, 'is the name of a built-in role'),
  description: descriptionSchema,
  permissions: z
    .array(permissionPatternSchema)
    .min(1)
    .describe('What it allows: a resource and a verb, or `*` for all verbs of the resource')
    .meta({ example: ['jobs:*', 'configuration:read'] }),
  actors: z
    .array(plainNameSchema)
    .min(1)
    .max(1_000)
    .optional()
    .describe('The actors to whose objects and jobs it is limited; default: it is not limited')
    .meta({ example: ['acme'] }),
});

/** A role besides those that are built in. */
export type RoleConfiguration = z.infer<typeof roleConfigurationSchema>;
