import type { ReactNode } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { OutsideText } from '../outside-text/outside-text.tsx';
import { texts } from '../texts.ts';
import { BusyButton } from './busy-button.tsx';
import { FormFailure } from './failure.tsx';

/** A dialog over the page. It closes with Escape, and keeps an error in sight until it is closed. */
export interface AppDialogProps {
  readonly title: string;
  /** The name of the button that does what the dialog is for. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  readonly isDangerous?: boolean;
  /** Default: false. There is nothing to do. */
  readonly isDisabled?: boolean;
  /** Default: false. What the dialog is for was changed meanwhile; what the dialog itself changes is no news. */
  readonly isOutdated?: boolean;
  /** What is said then. */
  readonly outdated?: string | undefined;
  /** Default: false. The action is possible then, too. */
  readonly isPossibleOutdated?: boolean;
  readonly onAction: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** See `AppDialogProps`. */
export function AppDialog(props: AppDialogProps) {
  const {
    title,
    action,
    isBusy,
    failure,
    isDangerous = false,
    isDisabled = false,
    isOutdated = false,
    outdated = texts.outdated,
    isPossibleOutdated = false,
    onAction,
    onClose,
    children,
  } = props;
  const isLate = isOutdated && !isBusy;
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!isBusy} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="modal">
        <Dialog role={isDangerous ? 'alertdialog' : 'dialog'}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              onAction();
            }}
          >
            <Title>{title}</Title>
            {children}
            {isLate && <Outdated>{outdated}</Outdated>}
            {failure !== undefined && <FormFailure>{failure}</FormFailure>}
            <div className="buttons">
              <Button className="button" onPress={onClose}>
                {texts.cancel}
              </Button>
              <BusyButton
                className={isDangerous ? 'button danger' : 'button primary'}
                type="submit"
                isBusy={isBusy}
                isDisabled={isDisabled || (isLate && !isPossibleOutdated)}
              >
                {action}
              </BusyButton>
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Title({ children }: { readonly children: string }) {
  return (
    <Heading slot="title">
      <OutsideText text={children} />
    </Heading>
  );
}

/** It stays, whatever is corrected. */
function Outdated({ children }: { readonly children: string }) {
  return (
    <p className="failure" role="alert">
      {children}
    </p>
  );
}
