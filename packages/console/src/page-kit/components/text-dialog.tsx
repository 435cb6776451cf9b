import { useState } from 'react';
import { useAction } from '../use-action.ts';
import { AppDialog } from './dialog.tsx';
import { TextInput } from './text-input.tsx';

/** A dialog that asks for one line of text, such as a name. */
export interface TextDialogProps {
  readonly title: string;
  readonly label: string;
  /** The name of the button that does what the dialog is for. */
  readonly action: string;
  /** The text at first. */
  readonly initial?: string;
  /** What the present text means, in a sentence under the field. */
  readonly hintOf?: (text: string) => string;
  /** Does it. What it throws stays in the dialog until the next try. */
  readonly act: (text: string) => Promise<void>;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

/** See `TextDialogProps`. */
export function TextDialog({ title, label, action, initial = '', hintOf, act, onDone, onClose }: TextDialogProps) {
  const [text, setText] = useState(initial);
  const { isBusy, failure, run } = useAction(
    () => act(text),
    () => onDone(text),
  );
  return (
    <AppDialog title={title} action={action} isBusy={isBusy} failure={failure} onAction={run} onClose={onClose}>
      <TextInput
        label={label}
        value={text}
        onChange={setText}
        autoFocus
        {...(hintOf !== undefined && { hint: hintOf(text) })}
      />
    </AppDialog>
  );
}
