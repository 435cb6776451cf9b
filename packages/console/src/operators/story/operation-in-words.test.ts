import { auditOperationSchema } from '@waybill/contracts/values/audit-operation';
import { expect, it } from 'vitest';
import { loadTexts } from '../../texts/loaded-texts.ts';

await loadTexts('operators');
const { operationInWords } = await import('./operation-in-words.ts');

/** Of users and settings: no record of a file has them. */
const notOfFiles: ReadonlySet<string> = new Set(['LOGIN', 'LOGOUT', 'PASSWORD CHANGE', 'SERVER_CHANGE_DIR']);

it.each(auditOperationSchema.options.filter((one) => !notOfFiles.has(one)))('%s of a file has words', (operation) =>
  expect(operationInWords(operation)).not.toMatch(/[A-Z]{2}/u),
);

it('an operation that is unknown, or a name of JavaScript, is shown as it is', () => {
  for (const operation of ['SERVER_NEW', 'constructor', '<b>']) expect(operationInWords(operation)).toBe(operation);
});
