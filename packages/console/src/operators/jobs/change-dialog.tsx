import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ResultsDialog } from '../lists/results-dialog.tsx';
import { texts } from '../texts/texts.ts';
import {
  type ChangeOperation,
  type ChangeResult,
  changedAtMost,
  changeJobs,
  type ChangeTarget,
  newIdentifier,
} from './change-jobs.ts';
import { ChangeResults, isRefused } from './change-results.tsx';

const { jobs } = texts;

type Stage = 'previewing' | 'previewed' | 'running' | 'done';

/** Shows what a change of jobs would do, does it when told to, and shows the result for each job until it is closed. */
export function ChangeDialog(props: {
  readonly operation: ChangeOperation;
  readonly target: ChangeTarget;
  /** Whether what is resubmitted is aborted first, unless the user decides otherwise. */
  readonly abortsFirst: boolean;
  readonly onClose: () => void;
}) {
  const { operation, target, onClose } = props;
  const [reason, setReason] = useState('');
  const [latest, setLatest] = useState(false);
  const [abortsFirst, setAbortsFirst] = useState(props.abortsFirst);
  const { stage, results, isCut, failure, run } = useChange({ operation, target, reason, latest, abortsFirst });
  const count = 'ids' in target ? target.ids.length : undefined;
  const isFixed = stage === 'done' || stage === 'running';
  return (
    <ResultsDialog
      title={jobs.titleOf[operation](count)}
      action={jobs[operation]}
      isDisabled={stage === 'previewing' || (stage === 'previewed' && (isCut || results.every(isRefused)))}
      isBusy={stage === 'running'}
      isOver={stage === 'done'}
      {...{ failure, onClose, onAction: run }}
    >
      {operation === 'resubmit' && (
        <Choice label={jobs.abortFirst} isChosen={abortsFirst} isFixed={isFixed} onChange={setAbortsFirst} />
      )}
      {operation !== 'abort' && (
        <Choice label={jobs.latestRevision} isChosen={latest} isFixed={isFixed} onChange={setLatest} />
      )}
      <label className="filter-field">
        {jobs.why}
        <input value={reason} maxLength={500} disabled={isFixed} onChange={({ target: at }) => setReason(at.value)} />
      </label>
      {'filters' in target && (
        <p className={isCut ? 'failure' : 'quiet'} role={isCut ? 'alert' : undefined}>
          {isCut ? jobs.tooMany(changedAtMost) : jobs.onlyListed(changedAtMost)}
        </p>
      )}
      {!isCut && <ChangeResults stage={stage} results={results} />}
    </ResultsDialog>
  );
}

function Choice(props: {
  readonly label: string;
  readonly isChosen: boolean;
  readonly isFixed: boolean;
  readonly onChange: (isChosen: boolean) => void;
}) {
  const { label, isChosen, isFixed, onChange } = props;
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isFixed}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}

/** Finds out what would change, again when that depends on something else, and changes it. */
function useChange(change: {
  readonly operation: ChangeOperation;
  readonly target: ChangeTarget;
  readonly reason: string;
  readonly latest: boolean;
  readonly abortsFirst: boolean;
}) {
  const { operation, target, latest, abortsFirst } = change;
  const client = useQueryClient();
  const [identifier] = useState(newIdentifier);
  const [stage, setStage] = useState<Stage>('previewing');
  const [results, setResults] = useState<readonly ChangeResult[]>([]);
  const [isCut, setCut] = useState(false);
  const previewed = useRef<readonly ChangeResult[]>([]);
  const [failure, setFailure] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  const perform = useRef<(dryRun: boolean) => Promise<void>>(undefined);
  perform.current = async (dryRun) => {
    stop.current?.abort();
    const { signal } = (stop.current = new AbortController());
    setStage(dryRun ? 'previewing' : 'running');
    // What would be refused is not tried: it stays in sight.
    const kept = dryRun ? [] : previewed.current.filter(isRefused);
    let found = kept;
    setResults(kept);
    setFailure(undefined);
    const add = (more: readonly ChangeResult[]): void => {
      found = [...found, ...more];
      setResults(found);
    };
    const expected = dryRun ? {} : { expected: previewed.current.filter((result) => !isRefused(result)) };
    try {
      const outcome = await changeJobs({ ...change, ...expected, identifier }, add, signal);
      // What was listed before it became clear would mislead.
      if (outcome.isCut) setResults((found = []));
      if (dryRun) previewed.current = found;
      setCut(outcome.isCut);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setStage(dryRun ? 'previewed' : 'done');
    if (!dryRun) void client.invalidateQueries({ queryKey: ['jobs'] });
  };
  useEffect(() => {
    void perform.current?.(true);
    // Closing the dialog stops the change: jobs that were not reached stay as they are.
    return () => stop.current?.abort();
  }, [operation, target, latest, abortsFirst]);
  return { stage, results, isCut, failure, run: () => void perform.current?.(false) };
}
