import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { FormFailure } from '../../page-kit/components/failure.tsx';
import { LanguageChoice } from '../../page-kit/components/language-choice.tsx';
import type { Action } from '../../page-kit/use-action.ts';

interface FrameProps {
  readonly title: string;
  readonly note: string | undefined;
  /** Over everything that the user was at, dialogs included; otherwise on a page of its own. */
  readonly isOver: boolean;
  readonly children: ReactNode;
}

/** What a user meets before a session. */
export function LoginFrame({ title, note, isOver, children }: FrameProps) {
  const content = (
    <>
      <Heading slot="title" level={1}>
        {title}
      </Heading>
      {note !== undefined && <p role="status">{note}</p>}
      {children}
    </>
  );
  if (!isOver) {
    return (
      <main className="login">
        <div className="card">{content}</div>
      </main>
    );
  }
  return (
    <ModalOverlay className="overlay" isOpen>
      <Modal className="modal">
        <Dialog>{content}</Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface CardProps extends FrameProps {
  readonly button: string;
  readonly action: Action;
  /** Below the form: other ways to log in. */
  readonly others?: ReactNode;
}

/** A form in a `LoginFrame`. */
export function LoginCard({ button, action, children, others, ...frame }: CardProps) {
  return (
    <LoginFrame {...frame}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        {children}
        {action.failure !== undefined && <FormFailure>{action.failure}</FormFailure>}
        <BusyButton className="button primary" type="submit" isBusy={action.isBusy}>
          {button}
        </BusyButton>
      </form>
      {others}
      <LanguageChoice />
    </LoginFrame>
  );
}
