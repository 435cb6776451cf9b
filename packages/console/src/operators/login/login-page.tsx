import { TextInput } from '../../page-kit/components/text-input.tsx';
import { texts } from '../texts/texts.ts';
import { CodeField } from './code-field.tsx';
import { LoginCard } from './login-card.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { useLogin } from './use-login.ts';

/** Asks for name and password, then for a code of the second factor, and for a new password, where they are needed. */
export function LoginPage({ wasLoggedIn }: { readonly wasLoggedIn: boolean }) {
  const { fields, set, hasSecondFactor, demand, entering, changing } = useLogin();
  const codeField = hasSecondFactor && <CodeField value={fields.code} onChange={(code) => set({ code })} />;
  if (demand !== undefined) {
    const card = { title: texts.choosePassword, note: demand, button: texts.changePassword, action: changing };
    return (
      <LoginCard {...card} isOver={wasLoggedIn}>
        <NewPasswordFields value={fields} onChange={set} />
        {codeField}
      </LoginCard>
    );
  }
  const note = wasLoggedIn ? texts.loginAgain : undefined;
  return (
    <LoginCard title={texts.loginTitle} note={note} button={texts.logIn} action={entering} isOver={wasLoggedIn}>
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
