import { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';

/** The six permissions that a VFS grants on a virtual path. */
export const permissionSchema = z.enum(['list', 'download', 'upload', 'delete', 'rename', 'createFolder']);

/** One of the six permissions that a VFS grants on a virtual path. */
export type Permission = z.infer<typeof permissionSchema>;

/** All six, in the order in which they are shown. */
export const allPermissions: readonly Permission[] = permissionSchema.options;

/** The failure for a missing permission, over any protocol. */
export const permissionRefusals = {
  list: 'no_list_permission',
  download: 'no_read_permission',
  upload: 'no_write_permission',
  delete: 'no_delete_permission',
  rename: 'no_rename_permission',
  createFolder: 'no_create_folder_permission',
} as const satisfies Record<Permission, ErrorCode>;
