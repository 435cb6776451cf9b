import { TextInput } from '../../page-kit/components/text-input.tsx';
import { texts } from '../texts/texts.ts';

/** Asks for a code of the second factor. */
export function CodeField(props: { readonly value: string; readonly onChange: (value: string) => void }) {
  return <TextInput hint={texts.codeHint} {...props} label={texts.code} autoComplete="one-time-code" />;
}
