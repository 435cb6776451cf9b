import { z } from 'zod';

/** The six permissions that a VFS grants on a virtual path. */
export const permissionSchema = z.enum(['list', 'download', 'upload', 'delete', 'rename', 'createFolder']);

/** One of the six permissions that a VFS grants on a virtual path. */
export type Permission = z.infer<typeof permissionSchema>;

/** All six, in the order in which they are shown. */
export const allPermissions: readonly Permission[] = permissionSchema.options;
