import { acknowledgeExpectationEndpoint } from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useEffect, useState } from 'react';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { EachDialog } from '../lists/each-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { acknowledgedAtMost, type AcknowledgeTarget, findOpenStates } from './acknowledge-states.ts';

const { expectations: words } = texts;

/** Acknowledgements that are sent at the same time. */
const atOnce = 8;

/** Finds out which states would be acknowledged, acknowledges exactly these with one reason, and shows the result for each. */
export function AcknowledgeDialog(props: { readonly target: AcknowledgeTarget; readonly onClose: () => void }) {
  const { target, onClose } = props;
  const [reason, setReason] = useState('');
  const { states = [], counted, isCut, failure } = useOpenStates(target);
  const body = { reason: reason.trim() };
  return (
    <EachDialog
      rows={states}
      title={words.acknowledgeTitle('states' in target ? target.states.length : undefined)}
      words={{ ...words, action: words.acknowledge, done: words.acknowledged }}
      nameOf={({ contract, expectation, dueAt }) => words.nameOf(contract, expectation, formatTime(dueAt))}
      isDisabled={states.length === 0 || body.reason === ''}
      atOnce={atOnce}
      failure={failure}
      act={({ id }, signal) => callEndpoint(acknowledgeExpectationEndpoint, { params: { id }, body, signal })}
      queryKey={['expectations']}
      onClose={onClose}
    >
      <TextInput label={texts.now.reason} value={reason} onChange={setReason} autoFocus />
      {'filters' in target && (
        <p className={isCut ? 'failure' : 'quiet'} role={isCut ? 'alert' : undefined}>
          {isCut ? words.tooMany(acknowledgedAtMost) : words.onlyListed(acknowledgedAtMost)}
        </p>
      )}
      {!isCut && failure === undefined && (
        <p role="status">{counted === undefined ? words.wouldAcknowledge(states.length) : words.counting(counted)}</p>
      )}
    </EachDialog>
  );
}

/** The states that would be acknowledged; until they are known, how many were found so far. */
function useOpenStates(target: AcknowledgeTarget) {
  const [counted, setCounted] = useState<number | undefined>(0);
  const [states, setStates] = useState<readonly ExpectationView[]>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    findOpenStates(target, setCounted, signal)
      .then((found) => {
        if (signal.aborted) return;
        setStates(found);
        setCounted(undefined);
      })
      .catch((error: unknown) => signal.aborted || setFailure(error instanceof Error ? error.message : String(error)));
    return () => ending.abort();
  }, [target]);
  return { states, counted, failure, isCut: states === undefined && counted === undefined };
}
