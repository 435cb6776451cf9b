import type { ReactNode } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { OutsideText } from '../outside-text/outside-text.tsx';
import { texts } from '../texts.ts';

/** A wide dialog that shows something. It closes with its button, with Escape, and with a press beside it. */
export interface PanelDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** See `PanelDialogProps`. */
export function PanelDialog({ title, onClose, children }: PanelDialogProps) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="modal panel">
        <Dialog>
          <div className="panel-head">
            <Heading slot="title">
              <OutsideText text={title} />
            </Heading>
            <Button className="button" onPress={onClose} autoFocus>
              {texts.close}
            </Button>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
