import { z } from 'zod';
import { configuredNameSchema, descriptionSchema, plainNameSchema } from '../values/configured-names.ts';
import { clientConnectionSchema } from './client-connection.ts';
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
  type: z.enum(['Partner', 'Application']),
  users: z.array(partnerUserSchema).default([]),
  virtualFileSystems: z.array(virtualFileSystemSchema).default([]),
  connectionContracts: z.array(connectionContractSchema).default([]),
  clientConnections: z.array(clientConnectionSchema).default([]),
  pgpKeys: z.array(pgpKeySchema).default([]),
  contracts: z.array(contractSchema).default([]),
});

/** The whole configuration of a platform, as `waybill apply` reads it from YAML. */
export const platformConfigurationSchema = z.strictObject({
  manager: z.strictObject({ name: configuredNameSchema }),
  clusters: z.array(clusterSchema).min(1),
  storageClasses: z.array(storageClassSchema).default([]),
  managerUsers: z.array(managerUserSchema).min(1),
  queues: z.array(jobQueueSchema).default([]),
  workflowTemplates: z.array(workflowTemplateSchema).default([]),
  clientConnections: z.array(clientConnectionSchema).default([]),
  pgpKeys: z.array(pgpKeySchema).default([]),
  actors: z.array(actorSchema).default([]),
});

/** The whole configuration of a platform. */
export type PlatformConfiguration = z.infer<typeof platformConfigurationSchema>;

/** A participant of the configuration. */
export type ActorConfiguration = PlatformConfiguration['actors'][number];
