import { useQuery, useQueryClient } from '@tanstack/react-query';
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
import { unlessRefused } from '../api/refusals.ts';
import { texts } from '../texts/texts.ts';
import { listApprovals } from './approval-filters.ts';

const { approvals: words, jobs } = texts;

/** What can be decided. */
export const decisions = ['approve', 'reject'] as const;

/** What is decided about a job. */
export type Decision = (typeof decisions)[number];

/** Shows what a job waits for, and decides about it. When somebody else was faster, it says so, and stays until it is closed. */
export function DecideDialog(props: {
  readonly approval: ApprovalView;
  readonly decision: Decision;
  /** How often it is read whether the job waits still. */
  readonly refreshEveryMs: number;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { approval, decision, refreshEveryMs, onDone, onClose } = props;
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
      isOutdated={useDecided(approval, refreshEveryMs)}
      outdated={words.decidedMeanwhile}
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

/** Whether a job waits for an approval no longer. */
function useDecided({ job, step }: ApprovalView, refreshEveryMs: number): boolean {
  const { data } = useQuery({
    queryKey: ['jobs', 'approvals', 'one', job, step],
    queryFn: ({ signal }) => listApprovals({ job: String(job), step }, undefined, signal),
    refetchInterval: unlessRefused(refreshEveryMs),
    gcTime: 0,
  });
  return data?.rows.length === 0;
}
