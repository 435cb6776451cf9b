import { userNameSchema, type UserName } from '@waybill/contracts/values/user-name';
import type { Door, FileUser } from '@waybill/user-files/permissions/file-user';
import { expect, expectTypeOf, test } from 'vitest';
import type { UserFreezes } from '../../sessions/freeze-user.ts';
import type { ServerSession } from '../../sessions/server-session.ts';
import type { SessionAudit } from '../../sessions/session-audit.ts';
import type { Reading } from '../content/read-record.ts';
import type { FileSession } from './file-session.ts';

// The compiler checks these types; `npm test -- types` fails where one accepts a name that was not parsed.

test('a text is no user name until it is parsed, which normalises it', () => {
  expectTypeOf<string>().not.toExtend<UserName>();
  expect(userNameSchema.parse('mu\u0308ller')).toBe('m\u00fcller');
});

test('what is decided, counted and audited by user takes parsed names only', () => {
  expectTypeOf<FileSession['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<FileUser['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Door['showsUploadsOf']>().toEqualTypeOf<UserName | undefined>();
  expectTypeOf<UserName>().not.toExtend<Reading['user']>();
  expectTypeOf<ServerSession['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<SessionAudit['loginFailed']>[0]['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<SessionAudit['turnedAway']>[0]['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<SessionAudit['folderChanged']>[0]['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<UserFreezes['freeze']>[0]['userName']>().toEqualTypeOf<UserName>();
});
