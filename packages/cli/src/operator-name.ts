import { userInfo } from 'node:os';

/** Whoever runs the command, for the audit record; a container may run it as a user without a name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}
