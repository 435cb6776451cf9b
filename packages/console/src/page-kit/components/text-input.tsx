import { Input, Label, TextField } from 'react-aria-components';

/** A field of one line with its label. */
export interface TextInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password';
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
}

/** See `TextInputProps`. */
export function TextInput({
  label,
  value,
  onChange,
  type = 'text',
  autoComplete = 'off',
  autoFocus = false,
}: TextInputProps) {
  return (
    <TextField
      className="field"
      type={type}
      value={value}
      onChange={onChange}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      isRequired
    >
      <Label>{label}</Label>
      <Input />
    </TextField>
  );
}
