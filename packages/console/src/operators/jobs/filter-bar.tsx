import { jobStatusSchema } from '@waybill/contracts/values/job-status';
import { Button } from 'react-aria-components';
import type { ChangeFilters } from '../address/use-filters.ts';
import { FilterByName } from '../lists/filter-by-name.tsx';
import { FilterChoice, FilterText, FilterTime } from '../lists/filter-fields.tsx';
import { texts } from '../texts/texts.ts';
import type { JobFilterName, JobFilters } from './job-filters.ts';

const { jobs } = texts;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface FilterProps {
  readonly filters: JobFilters;
  readonly onChange: ChangeFilters<JobFilterName>;
}

/** A filter; `collection`: whose names are suggested. */
type Field = readonly [name: JobFilterName, label: string, collection?: string];

const usual: readonly Field[] = [
  ['contract', jobs.contract, 'contracts'],
  ['contractAction', jobs.action],
  ['queue', jobs.queue, 'queues'],
];

const further: readonly Field[] = [
  ['actor', jobs.actor, 'actors'],
  ['submittedBy', jobs.submittedBy],
  ['workflowTemplateName', jobs.workflow, 'workflow-templates'],
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
  return fields.map(([name, label, collection]) => {
    const field = { label, value: filters[name] ?? '', onChange: (value?: string) => onChange({ [name]: value }) };
    if (collection === undefined) return <FilterText key={name} {...field} />;
    return <FilterByName key={name} {...field} collection={collection} />;
  });
}
