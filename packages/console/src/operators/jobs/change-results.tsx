import { Link } from 'react-aria-components';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts/texts.ts';
import type { ChangeResult } from './change-jobs.ts';

const { jobs } = texts;

/** Results in the page at most: a thousand refusals tell no more than the first hundreds. */
const shownAtMost = 500;

/** How many jobs a change affects, and what becomes of each. */
export function ChangeResults(props: {
  readonly stage: 'previewing' | 'previewed' | 'running' | 'done';
  readonly results: readonly ChangeResult[];
}) {
  const { stage, results } = props;
  const refused = results.filter(isRefused);
  const accepted = results.filter((result) => !isRefused(result));
  const summary = {
    previewing: jobs.previewing(results.length),
    previewed: jobs.preview(accepted.length, refused.length),
    running: jobs.running(results.length),
    done: jobs.outcome(accepted.length, refused.length),
  }[stage];
  return (
    <>
      <p role="status">{summary}</p>
      {results.length > 0 && (
        <ul className="results" aria-label={jobs.results} tabIndex={0}>
          {[...refused, ...accepted].slice(0, shownAtMost).map((result) => (
            <li key={result.id} className={isRefused(result) ? 'failure' : ''}>
              <Link href={`/jobs/${result.id}`}>{result.id}</Link> <OutsideText text={result.message} />{' '}
              {result.newId !== undefined && <Link href={`/jobs/${result.newId}`}>{jobs.newJob(result.newId)}</Link>}
            </li>
          ))}
        </ul>
      )}
      {results.length > shownAtMost && <p className="quiet">{jobs.resultsShown(shownAtMost)}</p>}
    </>
  );
}

/** Whether a job is left as it is. */
export function isRefused({ statusCode }: ChangeResult): boolean {
  return statusCode >= 400;
}
