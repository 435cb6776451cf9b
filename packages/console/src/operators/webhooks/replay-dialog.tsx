import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-aria-components';
import { ResultsDialog } from '../lists/results-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { type DeliveryFilters, listMatchingWebhooks, replayedAtMost } from './delivery-filters.ts';
import { OutcomeBadge, responseInWords } from './outcome-badge.tsx';
import type { ReplayResult } from './replay-deliveries.ts';
import { useReplay } from './use-replay.ts';

const { webhooks: words } = texts;

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
        {data !== undefined && (ids === undefined ? words.tooMany(replayedAtMost) : words.none)}
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
