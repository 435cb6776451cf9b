import { acknowledgeExpectationEndpoint } from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useState } from 'react';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { EachDialog } from '../lists/each-dialog.tsx';
import type { BulkTarget } from '../lists/use-selectable-list.ts';
import { texts } from '../texts/texts.ts';
import { acknowledgedAtMost, findOpenStates } from './acknowledge-states.ts';
import type { ExpectationFilters } from './expectation-filters.ts';

const { expectations: words } = texts;

/** Finds out which states would be acknowledged, acknowledges exactly these with one reason, and shows the result for each. */
export function AcknowledgeDialog({
  target,
  onClose,
}: {
  readonly target: BulkTarget<ExpectationView, ExpectationFilters>;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const body = { reason: reason.trim() };
  return (
    <EachDialog
      target={target}
      find={findOpenStates}
      most={acknowledgedAtMost}
      title={words.acknowledgeTitle('rows' in target ? target.rows.length : undefined)}
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
