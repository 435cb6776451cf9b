import type { LoginAttempt, LoginOutcome, LoginThrottle } from './login-throttle.ts';

/**
 * Checks an attempt under a throttle. It has failed only if `find` returns no user. If `find` throws, because a
 * database is unavailable or the client has disconnected, the attempt was not checked and is not counted. @throws
 * CodedError `too_many_requests` before `find` is called, and errors of `find`
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
