import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { useLiveJobs } from '../live/use-live-jobs.ts';
import { texts } from '../texts/texts.ts';
import { ChangeButtons } from './change-buttons.tsx';
import { changedAtMost } from './change-jobs.ts';
import { FilterBar } from './filter-bar.tsx';
import { findFaultyJobFilters, jobFilterNames } from './job-filters.ts';
import { JobTable } from './job-table.tsx';

const { jobs } = texts;

/** The jobs that match the filters in the address, and what can be done to some or all of them. */
export function JobsPage() {
  const [filters, changeFilters] = useFilters(jobFilterNames);
  const [selection, setSelection] = useState<ReadonlySet<number>>(new Set());
  const refreshEveryMs = useLiveJobs();
  const { may } = usePermissions();
  const mayChange = may('jobs:write');
  const isFiltered = Object.keys(filters).length > 0;
  const faulty = findFaultyJobFilters(filters);
  return (
    <PageFrame
      title={jobs.title}
      actions={may('jobs:run') && <Link href="/job-submission">{jobs.submitJob.title}</Link>}
    >
      <FilterBar
        filters={filters}
        onChange={(change) => {
          setSelection(new Set());
          changeFilters(change);
        }}
      />
      {mayChange && selection.size > 0 && (
        <div className="buttons">
          <span role="status">{jobs.selected(selection.size)}</span>
          <ChangeButtons target={{ ids: [...selection] }} />
          <Button className="button" onPress={() => setSelection(new Set())}>
            {jobs.clearSelection}
          </Button>
        </div>
      )}
      {mayChange && selection.size === 0 && isFiltered && faulty.length === 0 && (
        <div className="buttons">
          <span>{jobs.matchingBound(changedAtMost)}:</span>
          <ChangeButtons target={{ filters }} />
        </div>
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <JobTable
          key={JSON.stringify(filters)}
          filters={filters}
          refreshEveryMs={refreshEveryMs}
          selection={selection}
          onSelect={mayChange ? setSelection : undefined}
        />
      )}
    </PageFrame>
  );
}
