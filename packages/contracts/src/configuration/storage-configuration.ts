import { z } from 'zod';
import {
  configuredNameSchema,
  configuredPathSchema,
  configuredUserNameSchema,
  plainNameSchema,
} from '../values/configured-names.ts';
import { permissionSchema } from '../values/permission.ts';
import { protocolSchema } from '../values/protocol.ts';
import { rootPath } from '../values/virtual-path.ts';
import { localStorageClass } from './storage-class.ts';
import { sessionLimitSchema } from './user-configuration.ts';

/** The permissions of one user or one group on a virtual path and, unless a nearer rule applies, below it. */
const grantSchema = z
  .strictObject({
    user: configuredUserNameSchema.optional(),
    group: plainNameSchema.optional(),
    permissions: z.array(permissionSchema),
  })
  .refine((grant) => (grant.user === undefined) !== (grant.group === undefined), 'names either a user or a group');

/** A hundred years. */
const hoursSchema = z.int().min(1).max(876_600);

/** When the files of a virtual file system are deleted. The earliest time applies. */
const retentionSchema = z
  .strictObject({
    hoursAfterPut: hoursSchema.optional().describe('Since the file was stored or replaced'),
    hoursAfterGet: hoursSchema.optional().describe('Since it was last read completely; files that never were are kept'),
  })
  .refine(
    ({ hoursAfterPut, hoursAfterGet }) => hoursAfterPut !== undefined || hoursAfterGet !== undefined,
    'names hoursAfterPut or hoursAfterGet',
  );

const countSchema = z.int().min(0);

/** The limits of a virtual file system. An absent limit means unlimited. */
export const vfsLimitsSchema = z.strictObject({
  bytes: countSchema.optional().describe('Of all files, including uploads in progress'),
  files: countSchema.optional().describe('Including uploads in progress'),
  folders: countSchema.optional().describe('All but the root'),
  depth: z.int().min(0).max(1_000).optional().describe('Levels of nested folders; 0 allows no folders'),
});

/** The limits of a virtual file system. */
export type VfsLimits = z.infer<typeof vfsLimitsSchema>;

/** A virtual file system of an actor. Without `acl` every user who reaches it has all permissions. */
export const virtualFileSystemSchema = z.strictObject({
  name: plainNameSchema,
  storageClass: plainNameSchema.default(localStorageClass).describe('Where new files go'),
  folders: z.array(configuredPathSchema).default([]).describe('Created if they are missing, never removed'),
  limits: vfsLimitsSchema.optional().describe('Limits of its content'),
  acl: z
    .array(z.strictObject({ path: configuredPathSchema, grants: z.array(grantSchema) }))
    .optional()
    .describe('Inherited from the nearest ancestor that has any'),
  retention: retentionSchema.optional().describe('When its files are deleted; if absent, never'),
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
export const serverSchema = z.strictObject({
  name: plainNameSchema,
  protocol: protocolSchema,
  maxSessions: sessionLimitSchema.optional().describe('Open sessions in total; default 10 000'),
  maxSessionsPerUser: sessionLimitSchema.optional().describe('Open sessions of one user; default 2 000'),
});

/** A cluster of engines and the servers that its peers offer. */
export const clusterSchema = z.strictObject({
  name: plainNameSchema,
  servers: z.array(serverSchema).min(1),
});
