import { auditOperationSchema } from '@waybill/contracts/values/audit-operation';
import { expect, it } from 'vitest';
import { isByJob, operationInWords } from './operation-words.ts';

it.each([
  ['SERVER_UPLOAD_FILE', 'b7f1', 'Upload'],
  ['SERVER_UPLOAD_FILE', undefined, 'Written by a job'],
  ['SERVER_DOWNLOAD_FILE', 'b7f1', 'Download'],
  ['SERVER_DOWNLOAD_FILE', undefined, 'Read by a job'],
  ['SERVER_DELETE_FILE', undefined, 'Deletion'],
  ['constructor', undefined, 'constructor'],
])('%s in the session %s is called %s', (operation, session, words) => {
  expect(operationInWords(operation, isByJob(operation, session))).toBe(words);
});

it('does not say that a client did what a job may have done', () => {
  expect(operationInWords('SERVER_UPLOAD_FILE', undefined)).toBe('File stored');
  expect(operationInWords('SERVER_DOWNLOAD_FILE', undefined)).toBe('File read');
  expect(operationInWords('SERVER_RENAME_FILE', undefined)).toBe('Rename');
});

/** Of users and settings: no record of a file has them. */
const notOfFiles: ReadonlySet<string> = new Set(['LOGIN', 'LOGOUT', 'PASSWORD CHANGE', 'SERVER_CHANGE_DIR']);

it.each(auditOperationSchema.options.filter((one) => !notOfFiles.has(one)))('%s of a file has words', (operation) =>
  expect(operationInWords(operation, undefined)).not.toMatch(/[A-Z]{2}/u),
);
