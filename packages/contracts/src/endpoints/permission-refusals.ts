import type { ErrorCode } from '../errors/error-codes.ts';
import type { Permission } from '../values/permission.ts';

/** The failure for a missing permission, over any protocol. */
export const permissionRefusals = {
  list: 'no_list_permission',
  download: 'no_read_permission',
  upload: 'no_write_permission',
  delete: 'no_delete_permission',
  rename: 'no_rename_permission',
  createFolder: 'no_create_folder_permission',
} as const satisfies Record<Permission, ErrorCode>;
