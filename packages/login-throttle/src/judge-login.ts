import type { LoginAttempt, LoginOutcome, LoginThrottle } from './login-throttle.ts';

/**
 * Judges an attempt under a throttle. Only `find` answering nobody is a failure: when it throws, because a database is away
 * or a client has gone, the attempt was not judged and counts for nothing.
 * @throws CodedError `too_many_requests` before `find` is asked, and what `find` throws
 */
export async function judgeLogin<U>(
  throttle: LoginThrottle,
  attempt: LoginAttempt,
  find: () => Promise<U | undefined>,
): Promise<U | undefined> {
  await throttle.admit(attempt);
  let outcome: LoginOutcome = 'not judged';
  try {
    const user = await find();
    outcome = user === undefined ? 'failed' : 'passed';
    return user;
  } finally {
    await throttle.settle(attempt, outcome);
  }
}
