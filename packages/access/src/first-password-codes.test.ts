import type { UserName } from '@waybill/contracts/values/user-name';
import { expectTypeOf, test } from 'vitest';
import type {
  forgetFirstPasswordCode,
  isFirstPasswordCode,
  issueFirstPasswordCode,
  takeFirstPasswordCode,
} from './first-password-codes.ts';

// The compiler checks these types; `npm test -- types` fails where one accepts a name that was not parsed.

test('first password codes are issued, checked, taken and deleted by parsed user names only', () => {
  expectTypeOf<Parameters<typeof issueFirstPasswordCode>[1]>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<typeof isFirstPasswordCode>[1]>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<typeof takeFirstPasswordCode>[1]>().toEqualTypeOf<UserName>();
  expectTypeOf<Parameters<typeof forgetFirstPasswordCode>[1]>().toEqualTypeOf<UserName>();
});
