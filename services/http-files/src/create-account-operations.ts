import { createOwnKeys } from '@waybill/directory/accounts/own-keys';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { createKnexSessionBook } from './adapters/knex-session-book.ts';
import { createKnexTransferBook } from './adapters/knex-transfer-book.ts';
import { createRedisSftpSessionEnd } from './adapters/redis-sftp-session-end.ts';
import type { ServerPlace } from './domain/access/origin-of.ts';
import { createOwnSessions } from './domain/account/own-sessions.ts';
import { createListOwnTransfers } from './domain/account/own-transfers.ts';
import type { EndLoginSession } from './domain/logins/end-login-session.ts';
import type { LoginSessions } from './domain/logins/login-sessions.ts';

/** What users see and manage of their own accounts. */
export function createAccountOperations(ports: {
  db: Database;
  redis: RedisConnection;
  sessions: LoginSessions;
  endSession: EndLoginSession;
  site: ServerPlace & { readonly managerName: string };
}) {
  const { db, redis, site } = ports;
  const book = createKnexSessionBook(db, site);
  return {
    ownKeys: createOwnKeys(db, site),
    ownSessions: createOwnSessions({ ...ports, book, endSftpSession: createRedisSftpSessionEnd(redis) }),
    listOwnTransfers: createListOwnTransfers(createKnexTransferBook(db)),
  };
}
