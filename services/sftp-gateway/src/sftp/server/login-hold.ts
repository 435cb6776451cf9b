import type { UserHold } from '@waybill/directory/standing/user-hold';
import type { SshConnection } from './ssh-connection.ts';

/** Ends a connection, with a message for its user, when its login is no longer valid. */
export function endWhenWithdrawn(connection: Pick<SshConnection, 'end'>, hold: UserHold): void {
  hold.signal.addEventListener('abort', () => connection.end(`You were logged out: ${whyWithdrawn(hold)}`));
}

/** Stops watching. Returns why the login was withdrawn, if it was. */
export function release(hold: UserHold | undefined): string | undefined {
  hold?.[Symbol.dispose]();
  return whyWithdrawn(hold);
}

function whyWithdrawn(hold: UserHold | undefined): string | undefined {
  const reason: unknown = hold?.signal.aborted ? hold.signal.reason : undefined;
  return reason instanceof Error ? reason.message : undefined;
}
