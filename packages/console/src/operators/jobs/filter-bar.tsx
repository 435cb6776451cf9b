import { jobStatusSchema } from '@waybill/contracts/values/job-status';
import { Button } from 'react-aria-components';
import type { ChangeFilters } from '../address/use-filters.ts';
import { FilterChoice, FilterText, FilterTime } from '../lists/filter-fields.tsx';
import { texts } from '../texts/texts.ts';
import type { JobFilterName, JobFilters } from './job-filters.ts';

const { jobs } = texts;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface FilterProps {
  readonly filters: JobFilters;
  readonly onChange: ChangeFilters<JobFilterName>;
}

type Field = readonly [name: JobFilterName, label: string];

const usual: readonly Field[] = [
  ['contract', jobs.contract],
  ['contractAction', jobs.action],
  ['queue', jobs.queue],
];

const further: readonly Field[] = [
  ['actor', jobs.actor],
  ['submittedBy', jobs.submittedBy],
  ['workflowTemplateName', jobs.workflow],
  ['dfiid', jobs.dfiid],
  ['extIPID', jobs.extIPID],
];

const times: readonly Field[] = [
  ['createdAtFrom', jobs.from(zone)],
  ['createdAtTo', jobs.to(zone)],
];

const statuses = jobStatusSchema.options.map((status) => [status, jobs.jobStatus[status]] as const);

/** The filters of the list of jobs. */
export function FilterBar({ filters, onChange }: FilterProps) {
  const names = Object.keys(filters);
  return (
    <section className="filters" aria-label={jobs.filters}>
      <FilterChoice
        label={jobs.status}
        value={filters.status ?? ''}
        choices={[['', jobs.anyStatus], ...statuses]}
        onChange={(status) => onChange({ status })}
      />
      <TextFilters fields={usual} filters={filters} onChange={onChange} />
      <details className="further" open={[...further, ...times].some(([name]) => names.includes(name)) || undefined}>
        <summary>{jobs.moreFilters}</summary>
        <div className="filters">
          <TextFilters fields={further} filters={filters} onChange={onChange} />
          {times.map(([name, label]) => (
            <FilterTime
              key={name}
              label={label}
              value={filters[name]}
              onChange={(value) => onChange({ [name]: value })}
            />
          ))}
        </div>
      </details>
      {names.length > 0 && (
        <Button className="button" onPress={() => onChange(Object.fromEntries(names.map((name) => [name, undefined])))}>
          {jobs.clearFilters}
        </Button>
      )}
      <p className="quiet whole-line">{jobs.exactHint}</p>
    </section>
  );
}

function TextFilters({ fields, filters, onChange }: FilterProps & { readonly fields: readonly Field[] }) {
  return fields.map(([name, label]) => (
    <FilterText
      key={name}
      label={label}
      value={filters[name] ?? ''}
      onChange={(value) => onChange({ [name]: value })}
    />
  ));
}
