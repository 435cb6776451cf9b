import { useState } from 'react';
import { useStore } from '../../page-kit/create-store.ts';
import { type Action, useAction } from '../../page-kit/use-action.ts';
import { useFreshStart } from '../api/permissions.ts';
import { RequestFailure } from '../api/request-failure.ts';
import { logIn } from '../api/session.ts';
import { changePassword, passwordIsSet } from './change-password.ts';
import { invitedToFirstPassword } from './first-password-invitation.ts';

/** What the login form has. */
export interface LoginFields {
  readonly username: string;
  readonly password: string;
  readonly code: string;
  readonly newPassword: string;
  readonly repeated: string;
}

/** What a user logs in with. */
type Entered = Pick<LoginFields, 'username' | 'password' | 'code'>;

/** What the platform asks a user for. */
interface Demands {
  /** Whether the platform asks for codes of this user. */
  readonly hasSecondFactor: boolean;
  /** Whether the platform demands a second factor of this user, who has none. */
  readonly mustSetUp: boolean;
  /** Why a new password is due; undefined: it is not. */
  readonly demand: string | undefined;
}

/** A login that a user is at. */
export interface Login extends Demands {
  readonly fields: LoginFields;
  readonly set: (changed: Partial<LoginFields>) => void;
  /** Logs in with a password that was set just now. */
  readonly onPasswordSet: (username: string, password: string) => void;
  /** Whether a password was set here, which the user can log in with if that has failed. */
  readonly isPasswordSet: boolean;
  /** The second factor is set up: a code is asked for. */
  readonly onSetUp: () => void;
  readonly entering: Action;
  readonly changing: Action;
}

/** Logs in, and changes a password that is due. What was read for a user who `wasLoggedIn` in this page is read again. */
export function useLogin(wasLoggedIn: boolean): Login {
  const startAfresh = useFreshStart();
  const [fields, setFields] = useState<LoginFields>({
    username: (wasLoggedIn ? undefined : invitedToFirstPassword()) ?? '',
    password: '',
    code: '',
    newPassword: '',
    repeated: '',
  });
  const [demands, setDemands] = useState<Demands>({ hasSecondFactor: false, mustSetUp: false, demand: undefined });
  const set = (changed: Partial<LoginFields>): void => setFields((present) => ({ ...present, ...changed }));
  const { username, password, code, ...chosen } = fields;
  /** Resolves also where something else is asked for. */
  const enter = async (entered: Entered): Promise<void> => {
    try {
      await logIn(entered.username, entered.password, entered.code);
    } catch (error) {
      // Each code works once.
      set({ ...entered, code: '' });
      if (!(error instanceof RequestFailure)) throw error;
      const found = demandsOf(error);
      setDemands((present) => ({ ...present, demand: undefined, ...found }));
      if (found === undefined) throw error;
    }
  };
  const entering = useAction(enter, () => {
    if (wasLoggedIn) startAfresh();
  });
  const onPasswordSet = (name: string, newPassword: string): void => {
    const entered = { username: name, password: newPassword, code: '' };
    // The login form says why this fails.
    set(entered);
    setDemands((present) => ({ ...present, demand: undefined }));
    passwordIsSet.set(true);
    entering.run(entered);
  };
  const changing = useAction(
    () => changePassword({ username, currentPassword: password, code, ...chosen }),
    () => onPasswordSet(username, chosen.newPassword),
  );
  return {
    ...demands,
    fields,
    set,
    onPasswordSet,
    isPasswordSet: useStore(passwordIsSet),
    onSetUp: () => setDemands((present) => ({ ...present, hasSecondFactor: true, mustSetUp: false })),
    entering: { ...entering, run: () => entering.run({ username, password, code }) },
    changing,
  };
}

/** What is asked for instead of a login; undefined: it has failed. */
function demandsOf({ code, message }: RequestFailure): Partial<Demands> | undefined {
  if (code === 'password_change_required') return { demand: message };
  if (code === 'second_factor_required') return { hasSecondFactor: true };
  return code === 'second_factor_setup_required' ? { mustSetUp: true } : undefined;
}
