import { useQuery } from '@tanstack/react-query';
import { findWebhookDeliveryEndpoint } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import type { DeliveryDetailsView } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { Facts } from '../../page-kit/components/facts.tsx';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../api/call-endpoint.ts';
import { usePermissions } from '../api/permissions.ts';
import { unlessRefused } from '../api/refusals.ts';
import { PageFrame, ReadFailure } from '../frame/page-frame.tsx';
import type { PageProps } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';
import { ConnectionLink, OutcomeBadge, responseInWords } from './delivery-facts.tsx';
import { refreshDeliveriesEveryMs } from './delivery-filters.ts';
import { ReplayDialog } from './replay-dialog.tsx';

const { webhooks: words } = texts;

/** One delivery of a webhook: what was sent, and what came of it. */
export function DeliveryPage({ params: { id = '' } }: PageProps) {
  const mayReplay = usePermissions().may('jobs:write');
  const [isAsked, setAsked] = useState(false);
  const { data: delivery, error } = useQuery({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => callEndpoint(findWebhookDeliveryEndpoint, { params: { id }, signal }),
    // Others may replay it.
    refetchInterval: unlessRefused(refreshDeliveriesEveryMs),
  });
  return (
    <PageFrame
      title={words.deliveryTitle(id)}
      actions={
        mayReplay &&
        typeof delivery?.body === 'string' && (
          <div className="buttons">
            <Button className="button" onPress={() => setAsked(true)}>
              {words.replay}
            </Button>
          </div>
        )
      }
    >
      <ReadFailure error={error} isRead={delivery !== undefined} unknown={words.unknown(id)} />
      {delivery === undefined && error === null && <p role="status">{texts.loading}</p>}
      {delivery !== undefined && <Details delivery={delivery} />}
      {delivery !== undefined && isAsked && <ReplayDialog ids={[delivery.id]} onClose={() => setAsked(false)} />}
    </PageFrame>
  );
}

function Details({ delivery }: { readonly delivery: DeliveryDetailsView }) {
  const { id, outcome, connection, job, step, attempt, webhookId, begunAt, durationMs, replayOf, body, replays } =
    delivery;
  const facts = [
    [words.connection, <ConnectionLink connection={connection} />],
    [words.job, <Link href={`/jobs/${job}`}>{job}</Link>],
    [words.step, step],
    [words.attempt, String(attempt)],
    [words.replayOf, replayOf === null ? undefined : <Link href={`/webhooks/${replayOf}`}>{replayOf}</Link>],
    [words.webhookId, webhookId],
    [words.begun, <time dateTime={begunAt}>{formatExactTime(begunAt)}</time>],
    [words.duration, words.milliseconds(durationMs)],
  ] as const;
  return (
    <>
      <p className="state" role="status">
        <OutcomeBadge outcome={outcome} /> {responseInWords(delivery)}
      </p>
      <section aria-label={words.facts}>
        <Facts facts={facts} />
      </section>
      {replays.length > 0 && (
        <section aria-label={words.replays}>
          <h2>{words.replays}</h2>
          <ul>
            {replays.map((replay) => (
              <li key={replay.id}>
                <Link href={`/webhooks/${replay.id}`} {...(replay.id === id && { 'aria-current': 'page' })}>
                  {words.deliveryTitle(String(replay.id))}
                </Link>{' '}
                <OutcomeBadge outcome={replay.outcome} />{' '}
                <time dateTime={replay.begunAt}>{formatExactTime(replay.begunAt)}</time>
              </li>
            ))}
          </ul>
        </section>
      )}
      <h2>{words.body}</h2>
      {body === null ? (
        <p className="quiet">{words.noBody}</p>
      ) : (
        <pre className="note" tabIndex={0} role="region" aria-label={words.body}>
          <OutsideText text={body} />
        </pre>
      )}
    </>
  );
}
