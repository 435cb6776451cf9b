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

/** A filter, by which a part of a name is looked for where it has one. */
interface Field {
  readonly name: JobFilterName;
  readonly part?: JobFilterName;
  readonly label: string;
  /** Whose names are suggested. */
  readonly collection?: string;
}

const usual: readonly Field[] = [
  { name: 'id', label: jobs.number },
  { name: 'contract', part: 'contractPart', label: jobs.contract, collection: 'contracts' },
  { name: 'contractAction', part: 'contractActionPart', label: jobs.action },
  { name: 'queue', part: 'queuePart', label: jobs.queue, collection: 'queues' },
];

const further: readonly Field[] = [
  { name: 'actor', part: 'actorPart', label: jobs.actor, collection: 'actors' },
  { name: 'submittedBy', part: 'submittedByPart', label: jobs.submittedBy },
  {
    name: 'workflowTemplateName',
    part: 'workflowTemplateNamePart',
    label: jobs.workflow,
    collection: 'workflow-templates',
  },
  { name: 'dfiid', label: jobs.dfiid },
  { name: 'extIPID', label: jobs.extIPID },
];

const times: readonly Field[] = [
  { name: 'createdAtFrom', label: jobs.from(zone) },
  { name: 'createdAtTo', label: jobs.to(zone) },
  { name: 'updatedAtFrom', label: jobs.changedFrom(zone) },
  { name: 'updatedAtTo', label: jobs.changedTo(zone) },
];

const statuses = jobStatusSchema.options.map((status) => [status, jobs.jobStatus[status]] as const);

/** The filters of the list of jobs. */
export function FilterBar({ filters, onChange }: FilterProps) {
  const names = Object.keys(filters);
  const isFurther = [...further, ...times].some(
    ({ name, part = name }) => names.includes(name) || names.includes(part),
  );
  return (
    <section className="filters" aria-label={jobs.filters}>
      <FilterChoice
        label={jobs.status}
        value={filters.status ?? ''}
        choices={[['', jobs.anyStatus], ...statuses]}
        onChange={(status) => onChange({ status })}
      />
      <TextFilters fields={usual} filters={filters} onChange={onChange} />
      <details className="further" open={isFurther || undefined}>
        <summary>{jobs.moreFilters}</summary>
        <div className="filters">
          <TextFilters fields={further} filters={filters} onChange={onChange} />
          {times.map(({ name, label }) => (
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
      <p className="quiet whole-line">{jobs.partHint}</p>
    </section>
  );
}

function TextFilters({ fields, filters, onChange }: FilterProps & { readonly fields: readonly Field[] }) {
  return fields.map(({ name, part = name, label, collection }) => {
    // A link names the whole; what is typed then takes its place.
    const isWhole = part !== name && filters[name] !== undefined;
    const field = {
      label,
      value: filters[name] ?? filters[part] ?? '',
      onChange: (value?: string) => onChange({ [part]: value, ...(isWhole && { [name]: undefined }) }),
    };
    if (collection === undefined) return <FilterText key={name} {...field} />;
    return <FilterByName key={name} {...field} collection={collection} />;
  });
}
