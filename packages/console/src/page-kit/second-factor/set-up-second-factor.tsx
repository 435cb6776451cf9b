import { lazy, useState } from 'react';
import { BusyButton } from '../components/busy-button.tsx';
import { FormFailure, LazyPart } from '../components/failure.tsx';
import { TextInput } from '../components/text-input.tsx';
import { texts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { newRecoveryCodes } from './new-recovery-codes.ts';
import type { Enrolment, Proof, SecondFactorApi } from './second-factor-api.ts';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

/** Sets up a second factor: asks for the password unless it is known, then for the first code of the app. */
export function SetUpSecondFactor(props: {
  readonly api: SecondFactorApi;
  readonly userName: string;
  /** Of a login that was refused for want of a second factor. */
  readonly password?: string;
  /** The second factor is set up. */
  readonly onDone: () => void;
}) {
  const { api, onDone } = props;
  const [username, setUserName] = useState(props.userName);
  const [password, setPassword] = useState(props.password ?? '');
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const begin = useAction(async () => setEnrolment(await api.begin({ username, password })), doNothing);
  if (enrolment !== undefined) return <Confirmation {...{ api, enrolment, onDone, proof: { username, password } }} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        begin.run();
      }}
    >
      {props.userName === '' && (
        <TextInput label={texts.userName} value={username} onChange={setUserName} autoComplete="username" autoFocus />
      )}
      {props.password === undefined && (
        <TextInput
          label={texts.presentPassword}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="current-password"
          autoFocus={props.userName !== ''}
        />
      )}
      <FormEnd action={begin} label={texts.continueSetUp} />
    </form>
  );
}

function Confirmation(props: {
  readonly api: SecondFactorApi;
  readonly enrolment: Enrolment;
  readonly proof: Omit<Proof, 'code'>;
  readonly onDone: () => void;
}) {
  const { api, enrolment, proof, onDone } = props;
  const [code, setCode] = useState('');
  const confirm = useAction(async () => newRecoveryCodes.set(await api.confirm({ ...proof, code })), onDone);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.run();
      }}
    >
      <p>{texts.scanSecret}</p>
      <LazyPart>
        <QrCode text={enrolment.uri} label={texts.qrCode} />
      </LazyPart>
      <p>
        {texts.typeSecret}{' '}
        <code className="secret" translate="no">
          {inGroups(enrolment.secret)}
        </code>
      </p>
      <TextInput
        label={texts.firstCode}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        {...(api.endsSessions && { hint: texts.secondFactorEndsSessions })}
        autoFocus
      />
      <FormEnd action={confirm} label={texts.confirm} />
    </form>
  );
}

function FormEnd({ action, label }: { readonly action: ReturnType<typeof useAction>; readonly label: string }) {
  return (
    <>
      {action.failure !== undefined && <FormFailure>{action.failure}</FormFailure>}
      <BusyButton className="button primary" type="submit" isBusy={action.isBusy}>
        {label}
      </BusyButton>
    </>
  );
}

function inGroups(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/gu, '$& ');
}

function doNothing(): void {}
