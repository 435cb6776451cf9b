import type { DeliveryDetailsView } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { errorCodes } from '@waybill/contracts/errors/error-codes';
import { failureText } from '../../texts/failure-texts.ts';
import { usePermissions } from '../api/permissions.ts';
import { OptionalLink } from '../frame/optional-link.tsx';
import { texts } from '../texts/texts.ts';

const { webhooks: words } = texts;

const statuses = { delivered: 'COMPLETED', failed: 'FAILED', pending: 'RUNNING' } as const;

/** What came of a delivery: a word, and a colour for those who see it. */
export function OutcomeBadge({ outcome }: Pick<DeliveryDetailsView, 'outcome'>) {
  return (
    <span className="badge" data-status={statuses[outcome]}>
      {words.outcome[outcome]}
    </span>
  );
}

/** `status 503, The connection failed`; what is not known is left out. */
export function responseInWords({ status, error, reason }: Pick<DeliveryDetailsView, 'status' | 'error' | 'reason'>) {
  return [status === null ? '' : words.status(status), error === null ? '' : errorInWords(error, reason)]
    .filter((part) => part !== '')
    .join(', ');
}

function errorInWords(error: string, reason: string | null): string {
  const known = Object.entries(errorCodes).find(([code]) => code === error)?.[1];
  if (known === undefined) return error === 'interrupted' ? words.interrupted : error;
  return failureText(error, known.title, reason ?? undefined);
}

/** The connection of a delivery. It may be one of the partner or of the platform: the list has both. */
export function ConnectionLink({ connection }: Pick<DeliveryDetailsView, 'connection'>) {
  const isLink = usePermissions().may('configuration:read');
  const href = `/configuration/client-connections?${new URLSearchParams({ name: connection }).toString()}`;
  return <OptionalLink {...{ href, isLink }} text={connection} />;
}
