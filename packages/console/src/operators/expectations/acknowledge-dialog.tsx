import { acknowledgeExpectationEndpoint } from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useState } from 'react';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { EachDialog } from '../lists/each-dialog.tsx';
import { texts } from '../texts/texts.ts';

const { expectations: words } = texts;

/** Acknowledges states with one reason, and shows the result for each. */
export function AcknowledgeDialog(props: {
  readonly states: readonly ExpectationView[];
  readonly onClose: () => void;
}) {
  const { states, onClose } = props;
  const [reason, setReason] = useState('');
  const body = { reason: reason.trim() };
  return (
    <EachDialog
      rows={states}
      title={words.acknowledgeTitle(states.length)}
      words={{ ...words, action: words.acknowledge, done: words.acknowledged }}
      nameOf={({ contract, expectation, dueAt }) => words.nameOf(contract, expectation, formatTime(dueAt))}
      isDisabled={body.reason === ''}
      act={({ id }, signal) => callEndpoint(acknowledgeExpectationEndpoint, { params: { id }, body, signal })}
      queryKey={['expectations']}
      onClose={onClose}
    >
      <TextInput label={texts.now.reason} value={reason} onChange={setReason} autoFocus />
    </EachDialog>
  );
}
