import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts/texts.ts';
import { ResultsDialog } from './results-dialog.tsx';
import { type FindMatching, useMatchingRows } from './use-matching-rows.ts';
import type { BulkTarget, Row } from './use-selectable-list.ts';

/** What became of each row; no failure: it was done. */
type Outcomes = ReadonlyMap<Row['id'], string | undefined>;

/** The words of the dialog. */
interface EachWords {
  readonly action: string;
  readonly results: string;
  /** That of one row. */
  readonly done: string;
  onlyListed(most: number): string;
  tooMany(most: number): string;
  counting(count: number): string;
  wouldChange(count: number): string;
  running(done: number, count: number): string;
  outcomes(done: number, refused: number): string;
}

/** Results in the page at most: a thousand refusals tell no more than the first hundreds. */
const shownAtMost = 500;

/** Requests at the same time: enough to get through thousands of rows soon, and few enough that other users are served. */
const atOnce = 8;

/** How often the results are shown while they arrive, in milliseconds: each time, all of them are sorted. */
const shownEveryMs = 200;

/**
 * Finds out which rows something would be done to, does it to exactly these when told to, some at the same time, and shows the result
 * for each until it is closed, refusals first.
 */
export function EachDialog<T extends Row, F>(props: {
  /** The same object each time. */
  readonly target: BulkTarget<T, F>;
  /** The same function each time. */
  readonly find: FindMatching<T, F>;
  /** Rows that can match. */
  readonly most: number;
  readonly title: string;
  readonly words: EachWords;
  readonly nameOf: (row: T) => string;
  /** What is asked for first is missing. */
  readonly isDisabled?: boolean;
  readonly act: (row: T, signal: AbortSignal) => Promise<unknown>;
  /** Of the lists that show the rows. */
  readonly queryKey: readonly unknown[];
  readonly onClose: () => void;
  /** Shown until it begins. */
  readonly children: ReactNode;
}) {
  const { target, find, most, title, words, isDisabled = false, onClose, children } = props;
  const { rows, counted, failure, isCut } = useMatchingRows(target, find);
  const { stage, outcomes, run, stop } = useEach({ ...props, rows });
  return (
    <ResultsDialog
      {...{ title, failure, onClose }}
      isDisabled={isDisabled || rows.length === 0}
      action={words.action}
      isBusy={stage === 'running'}
      isOver={stage === 'done'}
      onAction={() => void run()}
      onStop={stop}
    >
      {stage === 'asked' && (
        <>
          {children}
          {'filters' in target && (
            <p className={isCut ? 'failure' : 'quiet'} role={isCut ? 'alert' : undefined}>
              {isCut ? words.tooMany(most) : words.onlyListed(most)}
            </p>
          )}
          {!isCut && failure === undefined && (
            <p role="status">{counted === undefined ? words.wouldChange(rows.length) : words.counting(counted)}</p>
          )}
        </>
      )}
      <Results {...{ ...props, rows, stage, outcomes }} />
    </ResultsDialog>
  );
}

/** What became of each row. */
function Results<T extends Row>(props: {
  readonly rows: readonly T[];
  readonly stage: Stage;
  readonly outcomes: Outcomes;
  readonly words: EachWords;
  readonly nameOf: (row: T) => string;
}) {
  const { rows, stage, outcomes, words, nameOf } = props;
  const refused = [...outcomes.values()].filter((why) => why !== undefined).length;
  const isRefused = ({ id }: T): boolean => outcomes.get(id) !== undefined;
  const shown = rows.toSorted((one, other) => Number(isRefused(other)) - Number(isRefused(one)));
  const isStopped = stage === 'done' && outcomes.size < rows.length;
  return (
    <>
      {stage !== 'asked' && (
        <p role="status">
          {stage === 'done'
            ? words.outcomes(outcomes.size - refused, refused)
            : words.running(outcomes.size, rows.length)}
          {isStopped && ` ${texts.stopped(rows.length - outcomes.size)}`}
        </p>
      )}
      {rows.length > 0 && (
        <ul className="results" aria-label={words.results} tabIndex={0}>
          {shown.slice(0, shownAtMost).map((row) => (
            <li key={row.id} className={isRefused(row) ? 'failure' : ''}>
              <OutsideText text={nameOf(row)} /> {outcomes.has(row.id) && (outcomes.get(row.id) ?? words.done)}
            </li>
          ))}
        </ul>
      )}
      {rows.length > shownAtMost && <p className="quiet">{texts.jobs.resultsShown(shownAtMost)}</p>}
    </>
  );
}

type Stage = 'asked' | 'running' | 'done';

function useEach<T extends Row>({
  rows,
  act,
  queryKey,
}: {
  readonly rows: readonly T[];
  readonly act: (row: T, signal: AbortSignal) => Promise<unknown>;
  readonly queryKey: readonly unknown[];
}) {
  const client = useQueryClient();
  const [stage, setStage] = useState<Stage>('asked');
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const leaving = useRef<AbortController>(undefined);
  const isStopped = useRef(false);
  // Leaving stops it: rows that were not reached stay as they are.
  useEffect(() => () => leaving.current?.abort(), []);
  const run = async (): Promise<void> => {
    const { signal } = (leaving.current = new AbortController());
    const made = new Map<Row['id'], string | undefined>();
    // All take the next row of one iterator.
    const waiting = rows.values();
    const actOnSome = async (): Promise<void> => {
      for (const row of waiting) {
        if (signal.aborted || isStopped.current) return;
        made.set(row.id, await failureOf(act(row, signal)));
      }
    };
    setStage('running');
    const showing = setInterval(() => setOutcomes(new Map(made)), shownEveryMs);
    await Promise.all(Array.from({ length: atOnce }, actOnSome));
    clearInterval(showing);
    setOutcomes(made);
    setStage('done');
    void client.invalidateQueries({ queryKey });
  };
  // What was sent is answered: its result is known.
  const stop = (): void => void (isStopped.current = true);
  return { stage, outcomes, run, stop };
}

/** Why it was refused. */
async function failureOf(done: Promise<unknown>): Promise<string | undefined> {
  try {
    await done;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
