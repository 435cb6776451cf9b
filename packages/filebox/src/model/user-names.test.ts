import type { FileEvent } from '@waybill/contracts/messages/file-event';
import { userNameSchema, type UserName } from '@waybill/contracts/values/user-name';
import { expect, expectTypeOf, test } from 'vitest';
import type { findVisible } from '../entries/find-visible.ts';
import type { Places } from '../entries/read-places.ts';
import type { Filebox } from '../filebox.ts';
import type { NewUpload } from '../upload/insert-upload.ts';
import type { resumeUploadTo } from '../upload/resume-upload.ts';
import type { UploadsById } from '../upload/uploads-by-id.ts';
import type { EntryScan } from './entry-query.ts';
import type { Origin } from './origin.ts';

// The compiler checks these types; `npm test -- types` fails where one accepts a name that was not parsed.

test('a text is no user name until it is parsed, which normalises it', () => {
  expectTypeOf<string>().not.toExtend<UserName>();
  expect(userNameSchema.parse('mu\u0308ller')).toBe('m\u00fcller');
});

test('the owner of an upload is stored, resumed and looked up by parsed names only', () => {
  expectTypeOf<Origin['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<NewUpload['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Places['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<typeof findVisible>[1]['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<typeof resumeUploadTo>[1]['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<UploadsById['begin']>[0]['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<EntryScan['includeUploadOf']>().toEqualTypeOf<UserName | undefined>();
  expectTypeOf<Parameters<Filebox['find']>[2]['includeUploadOf']>().toEqualTypeOf<UserName | undefined>();
  expectTypeOf<FileEvent['userName']>().toEqualTypeOf<UserName>();
});
