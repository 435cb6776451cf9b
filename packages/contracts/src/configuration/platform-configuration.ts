import { z } from 'zod';
import { roleConfigurationSchema } from '../roles/role-configuration.ts';
import { configuredNameSchema, descriptionSchema, plainNameSchema } from '../values/configured-names.ts';
import { accessTestSchema } from './access-test.ts';
import { accountPolicySchema } from './accounts/account-policy.ts';
import { configurationSourceSchema, defaultSource } from './configuration-source.ts';
import { clientConnectionSchema } from './connections/client-connection.ts';
import { groupSchema } from './group-configuration.ts';
import { pgpKeySchema } from './pgp-key.ts';
import { storageClassSchema } from './storage-class.ts';
import { clusterSchema, connectionContractSchema, virtualFileSystemSchema } from './storage-configuration.ts';
import { managerUserSchema, partnerUserSchema } from './user-configuration.ts';
import { contractSchema, jobQueueSchema } from './workflow-configuration.ts';
import { workflowTemplateSchema } from './workflow-template.ts';

/** A participant: a partner outside, or an application inside, with its users, files and contracts. */
export const actorSchema = z.strictObject({
  name: plainNameSchema,
  description: descriptionSchema,
  type: z
    .enum(['Partner', 'Application'])
    .optional()
    .describe('Left out in an entry that adds to an actor of another source or of the API'),
  accountPolicy: plainNameSchema
    .optional()
    .describe('The account policy of its users; the one named `default` if absent'),
  users: z.array(partnerUserSchema).default([]),
  groups: z.array(groupSchema).default([]),
  virtualFileSystems: z.array(virtualFileSystemSchema).default([]),
  connectionContracts: z.array(connectionContractSchema).default([]),
  clientConnections: z.array(clientConnectionSchema).default([]),
  pgpKeys: z.array(pgpKeySchema).default([]),
  contracts: z.array(contractSchema).default([]),
});

/** The settings of an actor itself, without what belongs to it, which is written one by one over the API. */
export const actorSettingsSchema = actorSchema.omit({
  users: true,
  groups: true,
  virtualFileSystems: true,
  connectionContracts: true,
  clientConnections: true,
  pgpKeys: true,
  contracts: true,
});

/** A configuration of a platform, or the part of it that one source owns, as `waybill apply` reads it from YAML. */
export const platformConfigurationSchema = z.strictObject({
  source: configurationSourceSchema.default(defaultSource),
  manager: z.strictObject({ name: configuredNameSchema }).default({ name: 'manager1' }),
  clusters: z.array(clusterSchema).default([]),
  accountPolicies: z.array(accountPolicySchema).default([]),
  storageClasses: z.array(storageClassSchema).default([]),
  roles: z.array(roleConfigurationSchema).default([]),
  managerUsers: z.array(managerUserSchema).default([]),
  queues: z.array(jobQueueSchema).default([]),
  workflowTemplates: z.array(workflowTemplateSchema).default([]),
  clientConnections: z.array(clientConnectionSchema).default([]),
  pgpKeys: z.array(pgpKeySchema).default([]),
  actors: z.array(actorSchema).default([]),
  accessTests: z.array(accessTestSchema).default([]),
});

/** A configuration of a platform, or the part of it that one source owns. */
export type PlatformConfiguration = z.infer<typeof platformConfigurationSchema>;

/** A participant of the configuration. */
export type ActorConfiguration = PlatformConfiguration['actors'][number];
