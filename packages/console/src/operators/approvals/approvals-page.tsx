import type { ApprovalView } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { useCallback, useState } from 'react';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { useFilters } from '../address/use-filters.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { FilterChoice, FilterText } from '../lists/filter-fields.tsx';
import { useLiveJobs } from '../live/use-live-jobs.ts';
import { texts } from '../texts/texts.ts';
import { type ApprovalFilterName, approvalFilterNames, findFaultyApprovalFilters } from './approval-filters.ts';
import { ApprovalTable } from './approval-table.tsx';
import { DecideDialog, type Decision } from './decide-dialog.tsx';

const { approvals: words, jobs } = texts;

const fields: readonly (readonly [ApprovalFilterName, string])[] = [
  ['contract', jobs.contract],
  ['contractAction', jobs.action],
  ['actor', jobs.actor],
  ['step', words.step],
  ['job', words.job],
];

/** The jobs that wait for an approval and match the filters in the address. */
export function ApprovalsPage() {
  const [filters, change] = useFilters(approvalFilterNames);
  const refreshEveryMs = useLiveJobs();
  const faulty = findFaultyApprovalFilters(filters);
  // Here, not in its row: that goes when somebody else has decided, and the dialog says so.
  const [asked, setAsked] = useState<{ readonly approval: ApprovalView; readonly decision: Decision }>();
  const [done, setDone] = useState('');
  const ask = useCallback((approval: ApprovalView, decision: Decision) => setAsked({ approval, decision }), []);
  return (
    <PageFrame title={words.title}>
      <section className="filters" aria-label={words.filters}>
        <FilterChoice
          label={words.decidable}
          value={filters.mayDecide ?? ''}
          choices={[
            ['', words.anyone],
            ['true', words.me],
            ['false', words.others],
          ]}
          onChange={(mayDecide) => change({ mayDecide })}
        />
        {fields.map(([name, label]) => (
          <FilterText
            key={name}
            label={label}
            value={filters[name] ?? ''}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </section>
      <p role="status">{done}</p>
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <ApprovalTable key={JSON.stringify(filters)} filters={filters} refreshEveryMs={refreshEveryMs} onDecide={ask} />
      )}
      {asked !== undefined && (
        <DecideDialog
          refreshEveryMs={refreshEveryMs}
          {...asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setDone(words.done[asked.decision](asked.approval.job));
            setAsked(undefined);
          }}
        />
      )}
    </PageFrame>
  );
}
