import type { ReactNode } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
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
  /** What was changed meanwhile by somebody else, if that is so. */
  readonly outdated?: string | undefined;
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
    outdated,
    onAction,
    onClose,
    children,
  } = props;
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
            <Heading slot="title">{title}</Heading>
            {children}
            {outdated !== undefined && (
              <p className="failure" role="alert">
                {outdated}
              </p>
            )}
            {failure !== undefined && <FormFailure>{failure}</FormFailure>}
            <div className="buttons">
              <Button className="button" onPress={onClose}>
                {texts.cancel}
              </Button>
              <BusyButton
                className={isDangerous ? 'button danger' : 'button primary'}
                type="submit"
                {...{ isBusy, isDisabled }}
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
