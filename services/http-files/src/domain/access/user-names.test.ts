import { userNameSchema, type UserName } from '@waybill/contracts/values/user-name';
import type { DownloadCoverage } from '@waybill/download-coverage/download-coverage';
import { expect, expectTypeOf, test } from 'vitest';
import type { Sending } from '../downloads/note-sent-range.ts';
import type { LoginRecord } from '../logins/login-record.ts';
import type { ReceiptBook } from '../receipts/receipt-book.ts';
import type { Receipt } from '../receipts/receipt.ts';
import type { ResumableUploadBook } from '../resumable/resumable-upload-book.ts';
import type { ResumableUpload } from '../resumable/resumable-upload.ts';
import type { DeliverFile } from '../uploads/deliver-file.ts';
import type { Caller, OwningUser } from './caller.ts';

// The compiler checks these types; `npm test -- types` fails where one accepts a name that was not parsed.

test('a text is no user name until it is parsed, which normalises it', () => {
  expectTypeOf<string>().not.toExtend<UserName>();
  expectTypeOf<ReturnType<typeof userNameSchema.parse>>().toEqualTypeOf<UserName>();
  expect(userNameSchema.parse('mu\u0308ller')).toBe('m\u00fcller');
});

test('what belongs to a user is looked up by the user, and not by the name', () => {
  expectTypeOf<UserName>().not.toExtend<OwningUser>();
  expectTypeOf<Parameters<ReceiptBook['find']>[0]>().toEqualTypeOf<OwningUser>();
  expectTypeOf<Parameters<ReceiptBook['findAnswered']>[0]>().toEqualTypeOf<OwningUser>();
  expectTypeOf<Parameters<ResumableUploadBook['find']>[0]>().toEqualTypeOf<OwningUser>();
  expectTypeOf<Parameters<ResumableUploadBook['findKeyed']>[0]>().toEqualTypeOf<OwningUser>();
  expectTypeOf<Parameters<ResumableUploadBook['findJoined']>[0]>().toEqualTypeOf<OwningUser>();
  expectTypeOf<ResumableUpload['user']>().toEqualTypeOf<OwningUser>();
  expectTypeOf<Sending['user']>().toEqualTypeOf<OwningUser>();
  expectTypeOf<UserName>().not.toExtend<Parameters<DownloadCoverage['add']>[0]['user']>();
});

test('what is stored and looked up by name takes parsed names only', () => {
  expectTypeOf<Caller['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Receipt['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<DeliverFile>[1]['userName']>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<LoginRecord['loginFailed']>[0]>().toEqualTypeOf<UserName>();
});
