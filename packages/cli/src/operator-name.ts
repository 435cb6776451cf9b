import { userInfo } from 'node:os';

/** The user who runs the command, for the audit log; in a container it may be a user without a name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}
