import { useQueries, useQuery } from '@tanstack/react-query';
import { findWebhookDeliveryEndpoint } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import { useId } from 'react';
import { Link } from 'react-aria-components';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../api/call-endpoint.ts';
import { unlessRefused } from '../api/refusals.ts';
import { ResultsDialog } from '../lists/results-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { OutcomeBadge, responseInWords } from './delivery-facts.tsx';
import {
  type DeliveryFilters,
  listMatchingWebhooks,
  refreshDeliveriesEveryMs,
  replayedAtMost,
} from './delivery-filters.ts';
import type { ReplayResult } from './replay-deliveries.ts';
import { useReplay } from './use-replay.ts';

const { webhooks: words } = texts;

/** Deliveries that are listed before they are replayed. */
const shownAtMost = 100;

/** Replays deliveries when told to, and shows the result for each until it is closed, refusals first. */
export function ReplayDialog({ ids, onClose }: { readonly ids: readonly number[]; readonly onClose: () => void }) {
  const { stage, results, failure, run } = useReplay(ids);
  const refused = results.filter((result) => result.failure !== undefined);
  const accepted = results.filter((result) => result.failure === undefined);
  return (
    <ResultsDialog
      title={words.replayTitle(ids.length)}
      action={words.replay}
      isBusy={stage === 'running'}
      isOver={stage === 'done'}
      {...{ failure, onClose, onAction: run }}
    >
      <p>{words.replayEffect}</p>
      {stage === 'asked' && <AskedDeliveries ids={ids} />}
      {stage !== 'asked' && (
        <p role="status">
          {stage === 'done'
            ? words.outcomes(accepted.length, refused.length)
            : words.running(results.length, ids.length)}
        </p>
      )}
      {results.length > 0 && (
        <ul className="results" aria-label={words.results} tabIndex={0}>
          {[...refused, ...accepted].map((result) => (
            <Result key={result.id} result={result} />
          ))}
        </ul>
      )}
    </ResultsDialog>
  );
}

/** Deliveries of which replays by others are followed while the dialog waits. */
const followedAtMost = 10;

/** What is going to be replayed: where it goes, for which job, and what has come of it so far. */
function AskedDeliveries({ ids }: { readonly ids: readonly number[] }) {
  const shown = ids.slice(0, shownAtMost);
  const found = useQueries({
    queries: shown.map((id) => ({
      queryKey: ['webhooks', 'one', String(id)],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callEndpoint(findWebhookDeliveryEndpoint, { params: { id }, signal }),
      refetchInterval: unlessRefused(ids.length <= followedAtMost && refreshDeliveriesEveryMs),
    })),
  });
  return (
    <>
      <ul className="results" aria-label={words.asked} tabIndex={0}>
        {shown.map((id, index) => {
          const delivery = found[index]?.data;
          return (
            <li key={id}>
              <Link href={`/webhooks/${id}`}>{id}</Link>{' '}
              {delivery !== undefined && (
                <>
                  <OutsideText text={delivery.connection} />, {words.ofJob(delivery.job)}:{' '}
                  {words.outcome[delivery.outcome]} <span className="quiet">{responseInWords(delivery)}</span>
                  {delivery.replays[0] !== undefined && (
                    <span role="status"> {words.replayedBefore(formatExactTime(delivery.replays[0].begunAt))}</span>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ul>
      {ids.length > shown.length && <p className="quiet">{words.notShown(ids.length - shown.length)}</p>}
    </>
  );
}

/** The same with each webhook that has a delivery which matches filters, once. */
export function ReplayMatchingDialog({
  filters,
  onClose,
}: {
  readonly filters: DeliveryFilters;
  readonly onClose: () => void;
}) {
  const opening = useId();
  const { data, error } = useQuery({
    queryKey: ['matching webhooks', filters, opening],
    queryFn: async ({ signal }) => ({ ids: await listMatchingWebhooks(filters, signal) }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const ids = data?.ids;
  if (ids !== undefined && ids.length > 0) return <ReplayDialog ids={ids} onClose={onClose} />;
  return (
    <ResultsDialog
      title={words.replayMatching}
      action={words.replay}
      isDisabled
      isBusy={false}
      isOver={data !== undefined}
      failure={error?.message}
      onAction={() => {}}
      onClose={onClose}
    >
      <p role="status">
        {data === undefined && error === null && texts.loading}
        {data !== undefined && (ids === undefined ? words.tooMany(replayedAtMost) : words.noneMatches)}
      </p>
    </ResultsDialog>
  );
}

function Result({ result: { id, replay, failure } }: { readonly result: ReplayResult }) {
  if (replay === undefined) {
    return (
      <li className="failure">
        <Link href={`/webhooks/${id}`}>{id}</Link> {failure}
      </li>
    );
  }
  return (
    <li>
      <Link href={`/webhooks/${id}`}>{id}</Link>{' '}
      <Link href={`/webhooks/${replay.id}`}>{words.replayedAs(replay.id)}</Link>{' '}
      <OutcomeBadge outcome={replay.outcome} /> {responseInWords(replay)}
    </li>
  );
}
