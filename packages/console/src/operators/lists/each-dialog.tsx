import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts/texts.ts';
import { ResultsDialog } from './results-dialog.tsx';

/** A row of a list, with its number or its id. */
interface Row {
  readonly id: number | string;
}

/** What became of each row; no failure: it was done. */
type Outcomes = ReadonlyMap<Row['id'], string | undefined>;

/** The words of the dialog. */
interface EachWords {
  readonly action: string;
  readonly results: string;
  /** That of one row. */
  readonly done: string;
  running(done: number, count: number): string;
  outcomes(done: number, refused: number): string;
}

/** Results in the page at most: a thousand refusals tell no more than the first hundreds. */
const shownAtMost = 500;

/** Does something to several rows, in their order, when told to, and shows the result for each until it is closed, refusals first. */
export function EachDialog<T extends Row>(props: {
  readonly rows: readonly T[];
  readonly title: string;
  readonly words: EachWords;
  readonly nameOf: (row: T) => string;
  /** What is asked for first is missing. */
  readonly isDisabled?: boolean;
  /** For so many rows at the same time. Default: 1. */
  readonly atOnce?: number;
  /** Why the rows are not known. */
  readonly failure?: string | undefined;
  readonly act: (row: T, signal: AbortSignal) => Promise<unknown>;
  /** Of the lists that show the rows. */
  readonly queryKey: readonly unknown[];
  readonly onClose: () => void;
  /** Shown until it begins. */
  readonly children: ReactNode;
}) {
  const { rows, title, words, nameOf, isDisabled = false, failure, onClose, children } = props;
  const { stage, outcomes, run } = useEach(props);
  const refused = [...outcomes.values()].filter((why) => why !== undefined).length;
  const isRefused = ({ id }: T): boolean => outcomes.get(id) !== undefined;
  const shown = rows.toSorted((one, other) => Number(isRefused(other)) - Number(isRefused(one)));
  return (
    <ResultsDialog
      {...{ title, isDisabled, failure, onClose }}
      action={words.action}
      isBusy={stage === 'running'}
      isOver={stage === 'done'}
      onAction={() => void run()}
    >
      {stage === 'asked' && children}
      {stage !== 'asked' && (
        <p role="status">
          {stage === 'done'
            ? words.outcomes(outcomes.size - refused, refused)
            : words.running(outcomes.size, rows.length)}
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
    </ResultsDialog>
  );
}

function useEach<T extends Row>({
  rows,
  atOnce = 1,
  act,
  queryKey,
}: {
  readonly rows: readonly T[];
  readonly atOnce?: number;
  readonly act: (row: T, signal: AbortSignal) => Promise<unknown>;
  readonly queryKey: readonly unknown[];
}) {
  const client = useQueryClient();
  const [stage, setStage] = useState<'asked' | 'running' | 'done'>('asked');
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const stop = useRef<AbortController>(undefined);
  // Leaving stops it: rows that were not reached stay as they are.
  useEffect(() => () => stop.current?.abort(), []);
  const run = async (): Promise<void> => {
    const { signal } = (stop.current = new AbortController());
    setStage('running');
    for (let first = 0; first < rows.length && !signal.aborted; first += atOnce) {
      const some = rows.slice(first, first + atOnce);
      const made = await Promise.all(some.map(async (row) => [row.id, await failureOf(act(row, signal))] as const));
      if (!signal.aborted) setOutcomes((known) => new Map([...known, ...made]));
    }
    setStage('done');
    void client.invalidateQueries({ queryKey });
  };
  return { stage, outcomes, run };
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
