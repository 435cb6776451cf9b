import { z } from 'zod';

/** The operations of audit records. */
export const auditOperationSchema = z.enum([
  'CREATE',
  'MODIFY',
  'DELETE',
  'LOGIN',
  'LOGOUT',
  'PASSWORD CHANGE',
  'SERVER_LOGIN',
  'SERVER_LOGOUT',
  'SERVER_CREATE_DIR',
  'SERVER_CHANGE_DIR',
  'SERVER_RENAME_DIR',
  'SERVER_DELETE_DIR',
  'SERVER_UPLOAD_FILE',
  'SERVER_DOWNLOAD_FILE',
  'SERVER_RENAME_FILE',
  'SERVER_DELETE_FILE',
]);

/** The operation of an audit record. */
export type AuditOperation = z.infer<typeof auditOperationSchema>;
