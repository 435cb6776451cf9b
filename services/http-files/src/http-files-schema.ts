import type { OwnedSchema } from '@waybill/postgres/migrate';
import { receipts } from './migrations/0001-receipts.ts';
import { resumableUploads } from './migrations/0002-resumable-uploads.ts';
import { bounds } from './migrations/0003-bounds.ts';
import { loginSessions } from './migrations/0004-login-sessions.ts';
import { uploadKeys } from './migrations/0005-upload-keys.ts';
import { uploadConcatenation } from './migrations/0006-upload-concatenation.ts';
import { sessionClients } from './migrations/0007-session-clients.ts';
import { idsOfUsers } from './migrations/0008-ids-of-users.ts';
import { sessionsOfUsers } from './migrations/0009-sessions-of-users.ts';
import { uploadsByBlob } from './migrations/0010-uploads-by-blob.ts';

/** The schema of the data on uploads and logins that only HTTP needs. */
export const httpFilesSchema: OwnedSchema = {
  schema: 'http_files',
  migrations: [
    receipts,
    resumableUploads,
    bounds,
    loginSessions,
    uploadKeys,
    uploadConcatenation,
    sessionClients,
    idsOfUsers,
    sessionsOfUsers,
    uploadsByBlob,
  ],
};
