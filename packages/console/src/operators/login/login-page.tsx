import { useState } from 'react';
import { Button } from 'react-aria-components';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { SetUpSecondFactor } from '../../page-kit/second-factor/set-up-second-factor.tsx';
import { secondFactorApi } from '../api/second-factor-api.ts';
import { texts } from '../texts/texts.ts';
import { CodeField } from './code-field.tsx';
import { FirstPasswordForm } from './first-password-form.tsx';
import { invitedToFirstPassword } from './first-password-invitation.ts';
import { IssuerButton } from './issuer-button.tsx';
import { LoginCard, LoginFrame } from './login-card.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { type LoginFields, useLogin } from './use-login.ts';

/** Asks for name and password, then for a code of the second factor, and for a new password, where they are needed. */
export function LoginPage({ wasLoggedIn }: { readonly wasLoggedIn: boolean }) {
  const login = useLogin(wasLoggedIn);
  const { fields, set, demand, entering, changing } = login;
  const [isFirst, setFirst] = useState(!wasLoggedIn && invitedToFirstPassword() !== undefined);
  const codeField = login.hasSecondFactor && <CodeField value={fields.code} onChange={(code) => set({ code })} />;
  if (demand !== undefined) {
    const card = { title: texts.choosePassword, note: demand, button: texts.changePassword, action: changing };
    return (
      <LoginCard {...card} isOver={wasLoggedIn}>
        <NewPasswordFields value={fields} onChange={set} />
        {codeField}
      </LoginCard>
    );
  }
  if (login.mustSetUp) return <ForcedSetUp fields={fields} isOver={wasLoggedIn} onDone={login.onSetUp} />;
  if (isFirst) {
    const onSet = (username: string, password: string): void => {
      setFirst(false);
      login.onPasswordSet(username, password);
    };
    return <FirstPasswordForm userName={fields.username} onSet={onSet} onBack={() => setFirst(false)} />;
  }
  const usualNote = wasLoggedIn ? texts.loginAgain : undefined;
  const note = login.isPasswordSet ? texts.passwordSet : usualNote;
  const others = <OtherWays onFirst={wasLoggedIn ? undefined : () => setFirst(true)} />;
  const card = { title: texts.loginTitle, note, button: texts.logIn, action: entering, isOver: wasLoggedIn };
  return (
    <LoginCard {...card} others={others}>
      <TextInput
        label={texts.userName}
        value={fields.username}
        onChange={(username) => set({ username })}
        autoComplete="username"
        autoFocus
      />
      <TextInput
        label={texts.password}
        value={fields.password}
        onChange={(password) => set({ password })}
        type="password"
        autoComplete="current-password"
      />
      {codeField}
    </LoginCard>
  );
}

/** The account policy demands a second factor, and the user has none. */
function ForcedSetUp(props: {
  readonly fields: Pick<LoginFields, 'username' | 'password'>;
  readonly isOver: boolean;
  readonly onDone: () => void;
}) {
  const { fields, isOver, onDone } = props;
  return (
    <LoginFrame title={texts.setUpSecondFactor} note={texts.secondFactorSetUpFirst} isOver={isOver}>
      <SetUpSecondFactor api={secondFactorApi} userName={fields.username} password={fields.password} onDone={onDone} />
    </LoginFrame>
  );
}

/** Undefined: over a page whose session has ended, whose user has a password. */
function OtherWays({ onFirst }: { readonly onFirst: (() => void) | undefined }) {
  return (
    <>
      <IssuerButton />
      {onFirst !== undefined && (
        <Button className="button" onPress={onFirst}>
          {texts.haveFirstCode}
        </Button>
      )}
    </>
  );
}
