import type { ApprovalView } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { useMemo } from 'react';
import { Button, Link } from 'react-aria-components';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { usePermissions } from '../api/permissions.ts';
import { emptyText } from '../lists/empty-text.ts';
import { LongText } from '../lists/long-text.tsx';
import { type Column, timeRem, VirtualTable } from '../lists/virtual-table.tsx';
import { texts } from '../texts/texts.ts';
import { type ApprovalFilters, approvalPageSize, listApprovals } from './approval-filters.ts';
import { type Decision, decisions } from './decide-dialog.tsx';

const { approvals: words, jobs } = texts;

const columns: readonly Column<ApprovalView>[] = [
  {
    name: 'what',
    title: words.what,
    rem: 10,
    share: 2,
    cell: ({ question }) => <LongText title={words.what} text={question} />,
  },
  {
    name: 'contract',
    title: jobs.contract,
    rem: 8,
    share: 1,
    cell: ({ contract, contractAction }) => `${contract} / ${contractAction}`,
  },
  { name: 'step', title: words.step, rem: 6, cell: ({ step }) => step },
  {
    name: 'by',
    title: words.submittedBy,
    rem: 7.75,
    cell: ({ submittedBy }) => <OutsideText text={submittedBy} />,
  },
  {
    name: 'since',
    title: words.since,
    rem: timeRem,
    cell: ({ since }) => <time dateTime={since}>{formatTime(since)}</time>,
  },
];

/** The jobs that wait for an approval, and what decides about each. */
export function ApprovalTable(props: {
  readonly filters: ApprovalFilters;
  readonly refreshEveryMs: number;
  readonly onDecide: (approval: ApprovalView, decision: Decision) => void;
}) {
  const { filters, refreshEveryMs, onDecide } = props;
  const mayOpen = usePermissions().may('jobs:read');
  const shown = useMemo(() => [jobColumn(mayOpen), ...columns, decisionColumn(onDecide)], [mayOpen, onDecide]);
  return (
    <VirtualTable
      label={words.list}
      columns={shown}
      empty={emptyText(words, filters)}
      keyOf={({ job, step }) => `${job} ${step}`}
      source={{
        queryKey: ['jobs', 'approvals', filters],
        pageSize: approvalPageSize,
        refreshEveryMs,
        read: (cursor, signal) => listApprovals(filters, cursor, signal),
      }}
    />
  );
}

function jobColumn(mayOpen: boolean): Column<ApprovalView> {
  return {
    name: 'job',
    title: words.job,
    rem: 4.5,
    cell: ({ job }) => (mayOpen ? <Link href={`/jobs/${job}`}>{job}</Link> : job),
  };
}

function decisionColumn(onDecide: (approval: ApprovalView, decision: Decision) => void): Column<ApprovalView> {
  return {
    name: 'decide',
    title: <span className="visually-hidden">{texts.actions}</span>,
    // In another language, the words may be longer than these.
    rem: 16,
    cell: (approval) =>
      approval.mayDecide ? (
        <span className="buttons">
          {decisions.map((decision) => (
            <Button
              key={decision}
              className="button small"
              aria-label={words.nameOf[decision](approval.job)}
              onPress={() => onDecide(approval, decision)}
            >
              {words[decision]}
            </Button>
          ))}
        </span>
      ) : (
        <LongText title={words.approvers} text={words.decidedBy(approval.approvers.join(', '))} />
      ),
  };
}
