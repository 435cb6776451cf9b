import { useQuery } from '@tanstack/react-query';
import { listLoginMethodsEndpoint } from '@waybill/contracts/endpoints/access/list-login-methods';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { sendEndpoint } from '../api/send-endpoint.ts';
import { texts } from '../texts/texts.ts';
import { beginIssuerLogin, issuerFailure } from './issuer-login.ts';

/** Leads to the issuer of OpenID Connect, if there is one, and shows why the last login there failed. */
export function IssuerButton() {
  const { data } = useQuery({
    queryKey: ['login methods'],
    queryFn: ({ signal }) => sendEndpoint(listLoginMethodsEndpoint, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const answered = useStore(issuerFailure);
  const { isBusy, failure = answered, run } = useAction(beginIssuerLogin, () => issuerFailure.set(undefined));
  const issuer = data?.issuer ?? undefined;
  return (
    <>
      {failure !== undefined && (
        <p className="failure" role="alert">
          {failure}
        </p>
      )}
      {issuer && (
        <BusyButton className="button" onPress={run} isBusy={isBusy}>
          {texts.logInWith(issuer.name)}
        </BusyButton>
      )}
    </>
  );
}
