import { useQueryClient } from '@tanstack/react-query';
import { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import type { ApprovalView } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { useState } from 'react';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { Facts } from '../../page-kit/components/facts.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { texts } from '../texts/texts.ts';

const { approvals: words, jobs } = texts;

/** What can be decided. */
export const decisions = ['approve', 'reject'] as const;

/** What is decided about a job. */
export type Decision = (typeof decisions)[number];

/** Shows what a job waits for, and decides about it. Why that failed stays in sight, also when somebody else was faster. */
export function DecideDialog(props: {
  readonly approval: ApprovalView;
  readonly decision: Decision;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { approval, decision, onDone, onClose } = props;
  const { job, step, question, approvers, contract, contractAction, submittedBy, since, until } = approval;
  const client = useQueryClient();
  const [comment, setComment] = useState('');
  const decide = async (): Promise<void> => {
    const reason = comment.trim();
    // Another step of the job, which may wait by now, is not meant.
    const request = { params: { id: job }, query: { step, ...(reason !== '' && { reason }) } };
    try {
      await callEndpoint(decision === 'approve' ? approveJobEndpoint : rejectJobEndpoint, request);
    } finally {
      void client.invalidateQueries({ queryKey: ['jobs'] });
    }
  };
  const { isBusy, failure, run } = useAction(decide, onDone);
  const facts = [
    [jobs.contract, `${contract} / ${contractAction}`],
    [words.step, step],
    [words.submittedBy, submittedBy],
    [words.since, formatTime(since)],
    [words.until, formatTime(until)],
    [words.approvers, approvers.join(', ')],
  ] as const;
  return (
    <AppDialog
      title={words.titleOf[decision](job)}
      action={words[decision]}
      isDangerous={decision === 'reject'}
      {...{ isBusy, failure, onClose, onAction: run }}
    >
      <p>
        <OutsideText text={question} />
      </p>
      <Facts facts={facts} />
      <p className="quiet">{words.effectOf[decision]}</p>
      <TextInput label={words.comment} value={comment} onChange={setComment} isRequired={false} autoFocus />
    </AppDialog>
  );
}
