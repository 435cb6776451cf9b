import { type ReactNode, useState } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { type Action, useAction } from '../../page-kit/use-action.ts';
import { useFreshStart } from '../api/permissions.ts';
import { RequestFailure } from '../api/request-failure.ts';
import { logIn } from '../api/session.ts';
import { texts } from '../texts/texts.ts';
import { changePassword } from './change-password.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

/** Asks for name and password, and for a new password where the old one is not accepted any more. */
export function LoginPage({ wasLoggedIn }: { readonly wasLoggedIn: boolean }) {
  const startAfresh = useFreshStart();
  const [username, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [chosen, setChosen] = useState({ newPassword: '', repeated: '' });
  const [demand, setDemand] = useState<string>();
  const enter = async (): Promise<void> => {
    try {
      await logIn(username, password);
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.code !== 'password_change_required') throw error;
      setDemand(error.message);
    }
  };
  const reload = (): void => startAfresh(username);
  const entering = useAction(enter, reload);
  const changing = useAction(() => changePassword({ username, currentPassword: password, ...chosen }), reload);
  if (demand !== undefined) {
    const card = { title: texts.choosePassword, note: demand, button: texts.changePassword, action: changing };
    return (
      <Card {...card} isOver={wasLoggedIn}>
        <NewPasswordFields value={chosen} onChange={setChosen} />
      </Card>
    );
  }
  const note = wasLoggedIn ? texts.loginAgain : undefined;
  return (
    <Card title={texts.loginTitle} note={note} button={texts.logIn} action={entering} isOver={wasLoggedIn}>
      <TextInput label={texts.userName} value={username} onChange={setUserName} autoComplete="username" autoFocus />
      <TextInput
        label={texts.password}
        value={password}
        onChange={setPassword}
        type="password"
        autoComplete="current-password"
      />
    </Card>
  );
}

/** A form on a page of its own, or over everything that the user was at, dialogs included. */
function Card({ isOver, ...form }: FormProps & { readonly isOver: boolean }) {
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

interface FormProps {
  readonly title: string;
  readonly note: string | undefined;
  readonly button: string;
  readonly action: Action;
  readonly children: ReactNode;
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
