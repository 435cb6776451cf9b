import { useState } from 'react';
import { type Action, useAction } from '../../page-kit/use-action.ts';
import { useFreshStart } from '../api/permissions.ts';
import { RequestFailure } from '../api/request-failure.ts';
import { logIn } from '../api/session.ts';
import { changePassword } from './change-password.ts';
import { invitedToFirstPassword } from './first-password-invitation.ts';

/** What the login form has. */
export interface LoginFields {
  readonly username: string;
  readonly password: string;
  readonly code: string;
  readonly newPassword: string;
  readonly repeated: string;
}

/** A login that a user is at. */
export interface Login {
  readonly fields: LoginFields;
  readonly set: (changed: Partial<LoginFields>) => void;
  /** Logs in with what was entered elsewhere. */
  readonly enter: (entered: Pick<LoginFields, 'username' | 'password' | 'code'>) => Promise<void>;
  /** Whether the platform asks for codes of this user. */
  readonly hasSecondFactor: boolean;
  /** Whether the platform demands a second factor of this user, who has none. */
  readonly mustSetUp: boolean;
  /** The second factor is set up: a code is asked for. */
  readonly onSetUp: () => void;
  /** Why a new password is due; undefined: it is not. */
  readonly demand: string | undefined;
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
  const [hasSecondFactor, setSecondFactor] = useState(false);
  const [mustSetUp, setMustSetUp] = useState(false);
  const [demand, setDemand] = useState<string>();
  const set = (changed: Partial<LoginFields>): void => setFields((present) => ({ ...present, ...changed }));
  const { username, password, code, ...chosen } = fields;
  /** Resolves also where something else is asked for. */
  const enter = async (entered: Pick<LoginFields, 'username' | 'password' | 'code'>): Promise<void> => {
    try {
      await logIn(entered.username, entered.password, entered.code);
    } catch (error) {
      // Each code works once.
      set({ ...entered, code: '' });
      if (!(error instanceof RequestFailure)) throw error;
      const isPasswordDue = error.code === 'password_change_required';
      const isCodeDue = error.code === 'second_factor_required';
      setDemand(isPasswordDue ? error.message : undefined);
      const isSetUpDue = error.code === 'second_factor_setup_required';
      if (isCodeDue) setSecondFactor(true);
      if (isSetUpDue) setMustSetUp(true);
      if (!isPasswordDue && !isCodeDue && !isSetUpDue) throw error;
    }
  };
  const change = async (): Promise<void> => {
    await changePassword({ username, currentPassword: password, code, ...chosen });
    await enter({ username, password: chosen.newPassword, code: '' });
  };
  const onDone = (): void => {
    if (wasLoggedIn) startAfresh();
  };
  const entering = useAction(() => enter({ username, password, code }), onDone);
  const changing = useAction(change, onDone);
  const onSetUp = (): void => {
    setMustSetUp(false);
    setSecondFactor(true);
  };
  return { fields, set, enter, hasSecondFactor, mustSetUp, onSetUp, demand, entering, changing };
}
