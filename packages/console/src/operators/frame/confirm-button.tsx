import { type ReactNode, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { focusTitleIfLost } from './page-frame.tsx';

/** A button that asks before it does something, and shows why it failed until the user acts. */
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
  readonly act: (reason: string) => Promise<unknown>;
}) {
  const { label, name = label } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className="button small" aria-label={name} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <Confirmation {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirmation(props: Parameters<typeof ConfirmButton>[0] & { readonly onClose: () => void }) {
  const { label, title, children, reason, isReasonRequired = true, isDangerous = false, act, onClose } = props;
  const [given, setGiven] = useState('');
  const { isBusy, failure, run } = useAction(async () => void (await act(given.trim())), onClose);
  const state = { isBusy, failure, isDangerous };
  // The button may be gone with the row that it has removed.
  useEffect(() => focusTitleIfLost, []);
  return (
    <AppDialog title={title} action={label} {...state} onAction={run} onClose={onClose}>
      {children}
      {reason !== undefined && (
        <TextInput label={reason} value={given} onChange={setGiven} isRequired={isReasonRequired} autoFocus />
      )}
    </AppDialog>
  );
}
