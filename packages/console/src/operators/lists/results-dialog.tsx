import type { ReactNode } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts/texts.ts';

/** A dialog that does something to several rows when told to, and keeps the results in sight until it is closed. */
export function ResultsDialog(props: {
  readonly title: string;
  /** The name of the button that does it. */
  readonly action: string;
  /** What it would do is not known yet. */
  readonly isDisabled?: boolean;
  readonly isBusy: boolean;
  /** It was done. */
  readonly isOver: boolean;
  readonly failure: string | undefined;
  readonly onAction: () => void;
  /** Ends what is being done before it reaches more rows. Default: closing does. */
  readonly onStop?: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { title, action, isDisabled = false, isBusy, isOver, failure, onAction, onStop, onClose, children } = props;
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="modal broad">
        <Dialog role="alertdialog">
          <Heading slot="title">
            <OutsideText text={title} />
          </Heading>
          {children}
          {failure !== undefined && (
            <p className="failure" role="alert">
              <OutsideText text={failure} />
            </p>
          )}
          <div className="buttons">
            <Button className="button" onPress={onClose}>
              {texts.close}
            </Button>
            {isBusy && onStop !== undefined && (
              <Button className="button" onPress={onStop}>
                {texts.stop}
              </Button>
            )}
            {!isOver && (
              <BusyButton className="button primary" {...{ isDisabled, isBusy }} onPress={onAction}>
                {action}
              </BusyButton>
            )}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
