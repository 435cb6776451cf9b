import { isPlatformError } from '@waybill/platform-client/platform-error';
import type { Invocation } from '../../command.ts';
import { readOneTimeCode } from '../../platform/passwords.ts';

/** Proves who a user is, with the code of `--one-time-code`, and asks for a code if the platform demands one. */
export async function withOneTimeCode<T>(prove: (code?: string) => Promise<T>, invocation: Invocation): Promise<T> {
  const given = invocation.values['one-time-code'];
  try {
    return await prove(typeof given === 'string' ? given : undefined);
  } catch (error) {
    if (!isPlatformError(error, 'second_factor_required')) throw error;
    return await prove(await readOneTimeCode(invocation));
  }
}

/** The same command without the code that was given: it works once. */
export function withoutGivenCode(invocation: Invocation): Invocation {
  const { 'one-time-code': _used, ...values } = invocation.values;
  return { ...invocation, values };
}
