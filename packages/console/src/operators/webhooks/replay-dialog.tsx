import { Link } from 'react-aria-components';
import { ResultsDialog } from '../lists/results-dialog.tsx';
import { texts } from '../texts/texts.ts';
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
