import { useQueryClient } from '@tanstack/react-query';
import { acknowledgeExpectationEndpoint } from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useEffect, useRef, useState } from 'react';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { ResultsDialog } from '../lists/results-dialog.tsx';
import { texts } from '../texts/texts.ts';

const { expectations: words } = texts;

/** What became of the acknowledgement of one state; no failure: it is acknowledged. */
type Outcomes = ReadonlyMap<number, string | undefined>;

/** Acknowledges states with one reason, and shows the result for each until it is closed, refusals first. */
export function AcknowledgeDialog(props: {
  readonly states: readonly ExpectationView[];
  readonly onClose: () => void;
}) {
  const { states, onClose } = props;
  const [reason, setReason] = useState('');
  const { stage, outcomes, run } = useAcknowledgement(states);
  const refused = [...outcomes.values()].filter((failure) => failure !== undefined).length;
  const isRefused = ({ id }: ExpectationView): boolean => outcomes.get(id) !== undefined;
  const shown = states.toSorted((one, other) => Number(isRefused(other)) - Number(isRefused(one)));
  return (
    <ResultsDialog
      title={words.acknowledgeTitle(states.length)}
      action={words.acknowledge}
      isDisabled={reason.trim() === ''}
      isBusy={stage === 'running'}
      isOver={stage === 'done'}
      failure={undefined}
      onAction={() => void run(reason.trim())}
      onClose={onClose}
    >
      {stage === 'asked' && <TextInput label={texts.now.reason} value={reason} onChange={setReason} autoFocus />}
      {stage !== 'asked' && (
        <p role="status">
          {stage === 'done'
            ? words.outcomes(outcomes.size - refused, refused)
            : words.running(outcomes.size, states.length)}
        </p>
      )}
      <ul className="results" aria-label={words.results} tabIndex={0}>
        {shown.map((state) => (
          <li key={state.id} className={isRefused(state) ? 'failure' : ''}>
            <bdi>{words.nameOf(state.contract, state.expectation, formatTime(state.dueAt))}</bdi>{' '}
            {outcomes.has(state.id) && (outcomes.get(state.id) ?? words.acknowledged)}
          </li>
        ))}
      </ul>
    </ResultsDialog>
  );
}

function useAcknowledgement(states: readonly ExpectationView[]) {
  const client = useQueryClient();
  const [stage, setStage] = useState<'asked' | 'running' | 'done'>('asked');
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const stop = useRef<AbortController>(undefined);
  // Leaving stops it: states that were not reached stay open.
  useEffect(() => () => stop.current?.abort(), []);
  const run = async (reason: string): Promise<void> => {
    const { signal } = (stop.current = new AbortController());
    setStage('running');
    for (const { id } of states) {
      const failure = await acknowledge(id, reason, signal);
      if (signal.aborted) break;
      setOutcomes((known) => new Map(known).set(id, failure));
    }
    setStage('done');
    void client.invalidateQueries({ queryKey: ['expectations'] });
  };
  return { stage, outcomes, run };
}

/** Why it was refused. */
async function acknowledge(id: number, reason: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    await callEndpoint(acknowledgeExpectationEndpoint, { params: { id }, body: { reason }, signal });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
