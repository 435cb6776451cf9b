import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import { Link } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { BulkBar } from '../lists/bulk-bar.tsx';
import { useSelectableList } from '../lists/use-selectable-list.ts';
import { useLiveJobs } from '../live/use-live-jobs.ts';
import { texts } from '../texts/texts.ts';
import { ChangeButtons } from './change-buttons.tsx';
import { changedAtMost } from './change-jobs.ts';
import { FilterBar } from './filter-bar.tsx';
import { findFaultyJobFilters, type JobFilterName, jobFilterNames } from './job-filters.ts';
import { JobTable } from './job-table.tsx';

const { jobs } = texts;

/** The jobs that match the filters in the address, and what can be done to some or all of them. */
export function JobsPage() {
  const list = useSelectableList<JobView, JobFilterName>(jobFilterNames, findFaultyJobFilters);
  const { filters, changeFilters, faulty, selected } = list;
  const refreshEveryMs = useLiveJobs();
  const { may } = usePermissions();
  const mayChange = may('jobs:write');
  return (
    <PageFrame
      title={jobs.title}
      actions={may('jobs:run') && <Link href="/job-submission">{jobs.submitJob.title}</Link>}
    >
      <FilterBar filters={filters} onChange={changeFilters} />
      {mayChange && (
        <BulkBar list={list} words={jobs} matching={jobs.matchingBound(changedAtMost)}>
          {(target) => <ChangeButtons target={'rows' in target ? { ids: target.rows.map(({ id }) => id) } : target} />}
        </BulkBar>
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <JobTable
          key={JSON.stringify(filters)}
          filters={filters}
          refreshEveryMs={refreshEveryMs}
          selected={mayChange ? selected : undefined}
          onEmpty={list.noteEmpty}
        />
      )}
    </PageFrame>
  );
}
