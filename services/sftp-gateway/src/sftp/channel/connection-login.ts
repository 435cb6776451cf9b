import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import type { ServerSession } from '../../domain/sessions/server-session.ts';

/** A login on a connection: the user, and the session that was opened for it. */
export interface ConnectionLogin {
  readonly user: PartnerUser;
  readonly session: ServerSession;
  readonly files: FileSession;
}
