import { useQuery } from '@tanstack/react-query';
import { expirySchema } from '@waybill/contracts/configuration/expiry';
import { permissionSchema } from '@waybill/contracts/values/permission';
import { z } from 'zod';
import { unlessRefused } from '../../api/refusals.ts';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { findCollection } from '../stored/collection.ts';
import { findObject } from '../stored/objects.ts';

const owned = { name: z.string(), source: z.string().nullable() };

/** The settings of a user that the page of a partner shows. */
export const userSchema = z.looseObject({
  ...owned,
  enabled: z.boolean().default(true),
  expires: expirySchema.optional(),
  groups: z.array(z.string()).default([]),
  lastLoginAt: z.string().optional(),
});

const grantSchema = z.looseObject({
  user: z.string().optional(),
  group: z.string().optional(),
  permissions: z.array(permissionSchema),
});

/** Grants on a path. */
export const aclSchema = z.array(z.looseObject({ path: z.string(), grants: z.array(grantSchema) }));

/** The settings of a virtual file system that the page of a partner shows. */
export const filesSchema = z.looseObject({
  ...owned,
  storageClass: z.string().optional(),
  limits: z.record(z.string(), z.number()).optional(),
  retention: z.record(z.string(), z.number()).optional(),
  acl: aclSchema.optional(),
});

/** The settings of a contract that the page of a partner shows. */
export const contractSchema = z.looseObject({
  ...owned,
  enabled: z.boolean().default(true),
  type: z.string().optional(),
  actions: z
    .array(z.looseObject({ name: z.string(), workflow: z.string(), trigger: z.looseObject({ type: z.string() }) }))
    .default([]),
});

/** The settings of a client connection that the page of a partner shows. */
export const connectionSchema = z.looseObject({ ...owned, type: z.string() });

/** A user of a partner. */
export type PartnerUser = z.infer<typeof userSchema>;

/** The virtual file systems of a partner. */
export type PartnerFiles = z.infer<typeof filesSchema>;

/** The actor itself. */
export function useActor(name: string) {
  const resource = findCollection('actors');
  return useQuery({
    queryKey: ['configuration', 'actors', 'object', { name, actor: undefined }],
    queryFn: ({ signal }) => {
      if (resource === undefined) throw new Error('actors');
      return findObject(resource, { name, actor: undefined }, signal);
    },
    refetchInterval: unlessRefused(useConfigurationRefresh()),
  });
}
