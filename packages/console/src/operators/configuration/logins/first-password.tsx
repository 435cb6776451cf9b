import { firstPasswordCommand } from '@waybill/contracts/endpoints/access/first-password-command';
import { issueFirstPasswordCodeEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import { useEffect } from 'react';
import { z } from 'zod';
import { createStore, useStore } from '../../../page-kit/create-store.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import type { EndpointResult } from '../../api/endpoint-types.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { ResultsDialog } from '../../lists/results-dialog.tsx';
import { firstPasswordAddress } from '../../login/first-password-invitation.ts';
import { texts } from '../../texts/texts.ts';

const { firstPassword } = texts.partners;

/** The code that was issued last, until its dialog is closed: the platform has only its hash. */
const issuedCode = createStore<EndpointResult<typeof issueFirstPasswordCodeEndpoint> | undefined>(undefined);

/** A button that issues a code with which a manager user without a password sets the first one, and the code, once. */
export function FirstPasswordCode({ name }: { readonly name: string }) {
  const issued = useStore(issuedCode);
  // The code does not outlive its page.
  useEffect(() => () => issuedCode.set(undefined), []);
  return (
    <>
      <ConfirmButton label={firstPassword.issue} title={firstPassword.issueTitle(name)} act={() => issueCode(name)}>
        <p>{firstPassword.issueEffect}</p>
      </ConfirmButton>
      {issued?.userName === name && <IssuedCode {...issued} />}
    </>
  );
}

function IssuedCode({ userName, code, hours }: EndpointResult<typeof issueFirstPasswordCodeEndpoint>) {
  const command = firstPasswordCommand({ userName, code }, location.origin);
  return (
    <ResultsDialog
      title={firstPassword.shownTitle(userName)}
      action={firstPassword.copy}
      isBusy={false}
      // Browsers have a clipboard only on pages that came over HTTPS, or from this computer.
      isOver={!('clipboard' in navigator)}
      failure={undefined}
      onAction={() => void navigator.clipboard.writeText(command)}
      onClose={() => issuedCode.set(undefined)}
    >
      <p>{firstPassword.shownOnce(hours)}</p>
      <Shown label={firstPassword.code} value={code} />
      <Shown label={firstPassword.address} value={firstPasswordAddress(userName)} />
      <Shown label={firstPassword.command} value={command} />
    </ResultsDialog>
  );
}

function Shown({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <label className="filter-field">
      {label}
      <input readOnly spellCheck={false} value={value} onFocus={({ target }) => target.select()} />
    </label>
  );
}

async function issueCode(name: string): Promise<void> {
  issuedCode.set(await callEndpoint(issueFirstPasswordCodeEndpoint, { params: { name } }));
}

const loginSchema = z.looseObject({
  password: z.unknown().optional(),
  oidc: z.unknown().optional(),
  enabled: z.boolean().default(true),
});

/** Issues a code for a new manager user who could not log in otherwise; the page of the user shows it. */
export async function issueCodeForNew(name: string, settings: unknown): Promise<void> {
  const { data } = loginSchema.safeParse(settings);
  if (data?.enabled !== true || data.password !== undefined || data.oidc !== undefined) return;
  // The page of the user has a button, which says why it is refused.
  await issueCode(name).catch(() => undefined);
}
