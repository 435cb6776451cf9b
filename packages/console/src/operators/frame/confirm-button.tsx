import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { type KeptDialogState, useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { useFocusSuccessor } from './use-focus-successor.ts';

/**
 * A button that asks before it does something, and shows why it failed until the user acts. The question stays what it was when it
 * was opened: if the button vanishes meanwhile, because its row or its state did, the dialog says so.
 */
export function ConfirmButton(props: {
  readonly label: string;
  /** What a screen reader says, if the label alone does not tell what is meant. */
  readonly name?: string;
  readonly title: string;
  readonly children?: ReactNode;
  /** Asks for a reason under this label. */
  readonly reason?: string;
  /** Default: true. Otherwise, the reason can be left empty. */
  readonly isReasonRequired?: boolean;
  readonly isDangerous?: boolean;
  /** What has happened if the button vanishes while the dialog is open. */
  readonly outdated?: string;
  /** Default: false. It can be done also then. */
  readonly isPossibleOutdated?: boolean;
  readonly act: (reason: string) => Promise<unknown>;
}) {
  const { label, name = label } = props;
  const open = useKeptDialog();
  const button = useRef<HTMLButtonElement>(null);
  const focusSuccessor = useFocusSuccessor(button);
  return (
    <Button
      ref={button}
      className="button small"
      aria-label={visibleText(name)}
      onPress={() => open((state) => <Confirmation {...props} {...state} onEnd={focusSuccessor} />)}
    >
      {label}
    </Button>
  );
}

interface ConfirmationProps extends KeptDialogState {
  /** When the dialog is gone. */
  readonly onEnd: () => void;
}

function Confirmation(props: Parameters<typeof ConfirmButton>[0] & ConfirmationProps) {
  const { label, title, children, reason, isReasonRequired = true, isDangerous = false, act, onClose, onEnd } = props;
  const { isOutdated, outdated, isPossibleOutdated = false } = props;
  const [given, setGiven] = useState('');
  const { isBusy, failure, run } = useAction(async () => void (await act(given.trim())), onClose);
  // The button may be gone with the row that it has removed.
  const ending = useRef(onEnd);
  useEffect(() => ending.current, []);
  return (
    <AppDialog
      {...{ title, isBusy, failure, isDangerous, isOutdated, outdated, isPossibleOutdated, onClose }}
      action={label}
      onAction={run}
    >
      {children}
      {reason !== undefined && (
        <TextInput label={reason} value={given} onChange={setGiven} isRequired={isReasonRequired} autoFocus />
      )}
    </AppDialog>
  );
}
