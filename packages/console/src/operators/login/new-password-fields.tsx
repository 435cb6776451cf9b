import { TextInput } from '../../page-kit/components/text-input.tsx';
import { texts } from '../texts/texts.ts';

/** What is typed. */
export interface NewPassword {
  readonly newPassword: string;
  readonly repeated: string;
}

/** Asks twice for a new password. */
export function NewPasswordFields(props: {
  readonly value: NewPassword;
  readonly onChange: (value: NewPassword) => void;
}) {
  const { value, onChange } = props;
  const common = { type: 'password', autoComplete: 'new-password' } as const;
  return (
    <>
      <TextInput
        {...common}
        label={texts.newPassword}
        value={value.newPassword}
        onChange={(newPassword) => onChange({ ...value, newPassword })}
      />
      <TextInput
        {...common}
        label={texts.repeatPassword}
        value={value.repeated}
        onChange={(repeated) => onChange({ ...value, repeated })}
      />
    </>
  );
}
