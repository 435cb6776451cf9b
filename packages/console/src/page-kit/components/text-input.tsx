import type { ReactNode } from 'react';
import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';

/** A field of one line, or of several, with its label. */
export interface TextInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password';
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  /** Default: true. */
  readonly isRequired?: boolean;
  /** Default: false. */
  readonly hasLines?: boolean;
  /** Default: false. Shows each character of several lines as a dot: a password field would drop the line breaks. */
  readonly isHidden?: boolean;
  /** What to enter, in a sentence under the field. */
  readonly hint?: string;
  /** Why the value was refused. */
  readonly fault?: ReactNode;
}

/** See `TextInputProps`. */
export function TextInput({
  label,
  value,
  onChange,
  type = 'text',
  autoComplete = 'off',
  autoFocus = false,
  isRequired = true,
  hasLines = false,
  isHidden = false,
  hint,
  fault,
}: TextInputProps) {
  return (
    <TextField
      className="field"
      type={type}
      value={value}
      onChange={onChange}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      isRequired={isRequired}
      isInvalid={fault !== undefined}
      // What was refused can be sent again: something else may have changed.
      validationBehavior={fault === undefined ? 'native' : 'aria'}
    >
      <Label>{label}</Label>
      {hasLines ? <TextArea rows={3} spellCheck={!isHidden} className={isHidden ? 'concealed' : ''} /> : <Input />}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      {fault !== undefined && (
        <Text slot="errorMessage" className="failure" role="alert">
          {fault}
        </Text>
      )}
    </TextField>
  );
}
