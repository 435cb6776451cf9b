import { z } from 'zod';
import { permissionSchema } from '../values/permission.ts';
import { protocolSchema } from '../values/protocol.ts';
import { rootPath } from '../values/virtual-path.ts';
import { configuredNameSchema, configuredPathSchema, configuredUserNameSchema, plainNameSchema } from './names.ts';
import { localStorageClass } from './storage-class.ts';
import { sessionLimitSchema } from './user-configuration.ts';

/** What one user or one group may do on a virtual path and, where nothing nearer says otherwise, below it. */
const grantSchema = z
  .strictObject({
    user: configuredUserNameSchema.optional(),
    group: plainNameSchema.optional(),
    permissions: z.array(permissionSchema),
  })
  .refine((grant) => (grant.user === undefined) !== (grant.group === undefined), 'names either a user or a group');

/** A hundred years. */
const hoursSchema = z.int().min(1).max(876_600);

/** After which time the files of a virtual file system are deleted. The earliest time applies. */
const retentionSchema = z
  .strictObject({
    hoursAfterPut: hoursSchema.optional().describe('Since the file was stored or replaced'),
    hoursAfterGet: hoursSchema.optional().describe('Since it was last read completely; never when it was not'),
  })
  .refine(
    ({ hoursAfterPut, hoursAfterGet }) => hoursAfterPut !== undefined || hoursAfterGet !== undefined,
    'names hoursAfterPut or hoursAfterGet',
  );

const countSchema = z.int().min(0);

/** What a virtual file system may hold at most. What is absent has no limit. */
export const vfsLimitsSchema = z.strictObject({
  bytes: countSchema.optional().describe('Of all files, and of what is on its way in'),
  files: countSchema.optional().describe('Those on their way in included'),
  folders: countSchema.optional().describe('All but the root'),
  depth: z.int().min(0).max(1_000).optional().describe('Of folders inside each other; 0 allows none at all'),
});

/** What a virtual file system may hold at most. */
export type VfsLimits = z.infer<typeof vfsLimitsSchema>;

/** A virtual file system of an actor. Without `acl` every user who reaches it has all permissions. */
export const virtualFileSystemSchema = z.strictObject({
  name: plainNameSchema,
  storageClass: plainNameSchema.default(localStorageClass).describe('Where new files go'),
  folders: z.array(configuredPathSchema).default([]).describe('Made when they are missing, never removed'),
  limits: vfsLimitsSchema.optional().describe('What it may hold at most'),
  acl: z
    .array(z.strictObject({ path: configuredPathSchema, grants: z.array(grantSchema) }))
    .optional()
    .describe('Inherited from the nearest ancestor that has any'),
  retention: retentionSchema.optional().describe('When its files are deleted; never when absent'),
});

/** Binds users and groups of an actor to a VFS on one server. */
export const connectionContractSchema = z.strictObject({
  name: configuredNameSchema,
  enabled: z.boolean().default(true),
  cluster: plainNameSchema,
  server: plainNameSchema,
  clauses: z
    .array(
      z
        .strictObject({
          user: configuredUserNameSchema.optional(),
          group: plainNameSchema.optional(),
          vfs: plainNameSchema,
          mountPath: configuredPathSchema.default(rootPath),
        })
        .refine(
          (clause) => (clause.user === undefined) !== (clause.group === undefined),
          'names either a user or a group',
        ),
    )
    .min(1),
});

/** A server that every peer of a cluster offers. Its limits are totals over all peers, and count SFTP sessions. */
const serverSchema = z.strictObject({
  name: plainNameSchema,
  protocol: protocolSchema,
  maxSessions: sessionLimitSchema.optional().describe('Open sessions in all; 10 000 unless said'),
  maxSessionsPerUser: sessionLimitSchema.optional().describe('Open sessions of one user; 2 000 unless said'),
});

/** A cluster of engines and the servers that its peers offer. */
export const clusterSchema = z.strictObject({
  name: plainNameSchema,
  servers: z.array(serverSchema).min(1),
});
