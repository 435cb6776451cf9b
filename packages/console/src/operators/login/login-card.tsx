import type { ReactNode } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { Action } from '../../page-kit/use-action.ts';

interface FormProps {
  readonly title: string;
  readonly note: string | undefined;
  readonly button: string;
  readonly action: Action;
  readonly children: ReactNode;
}

/** A form on a page of its own, or over everything that the user was at, dialogs included. */
export function LoginCard({ isOver, ...form }: FormProps & { readonly isOver: boolean }) {
  if (!isOver) {
    return (
      <main className="login">
        <div className="card">
          <Form {...form} />
        </div>
      </main>
    );
  }
  return (
    <ModalOverlay className="overlay" isOpen>
      <Modal className="modal">
        <Dialog>
          <Form {...form} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Form({ title, note, button, action, children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <Heading slot="title" level={1}>
        {title}
      </Heading>
      {note !== undefined && <p role="status">{note}</p>}
      {children}
      {action.failure !== undefined && (
        <p className="failure" role="alert">
          {action.failure}
        </p>
      )}
      <Button className="button primary" type="submit" isDisabled={action.isBusy}>
        {button}
      </Button>
    </form>
  );
}
