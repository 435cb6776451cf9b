import { auditOperationSchema } from '@waybill/contracts/values/audit-operation';
import { Button } from 'react-aria-components';
import type { ChangeFilters } from '../../address/use-filters.ts';
import { FilterChoice, FilterText, FilterTime } from '../../lists/filter-fields.tsx';
import { texts } from '../../texts/texts.ts';
import type { AuditFilterName, AuditFilters } from './audit-filters.ts';

const { audit } = texts;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const usual = ['dataoneUser', 'entityName', 'auditCode'] as const;

const further = [
  'entityType',
  'entityId',
  'dfiid',
  'address',
  'virtualFileSystem',
  'fileHash',
  'fileName',
  'filePath',
  'auditMessage',
  'nodeId',
  'clusterId',
] as const;

const operations = auditOperationSchema.options.map((operation) => [operation, operation] as const);

interface FilterProps {
  readonly filters: AuditFilters;
  readonly onChange: ChangeFilters<AuditFilterName>;
}

/** The filters of the audit log. */
export function AuditFilterBar({ filters, onChange }: FilterProps) {
  const names = Object.keys(filters);
  return (
    <section className="filters" aria-label={audit.filters}>
      <FilterTime
        label={audit.from(zone)}
        value={filters.fromAuditTime}
        onChange={(fromAuditTime) => onChange({ fromAuditTime })}
      />
      <FilterTime
        label={audit.to(zone)}
        value={filters.toAuditTime}
        onChange={(toAuditTime) => onChange({ toAuditTime })}
      />
      <FilterChoice
        label={audit.fields.auditOperation}
        value={filters.auditOperation ?? ''}
        choices={[['', audit.any], ...operations]}
        onChange={(auditOperation) => onChange({ auditOperation })}
      />
      <TextFilters fields={usual} filters={filters} onChange={onChange} />
      <details className="further" open={further.some((name) => names.includes(name)) || undefined}>
        <summary>{audit.moreFilters}</summary>
        <div className="filters">
          <TextFilters fields={further} filters={filters} onChange={onChange} />
        </div>
      </details>
      {names.length > 0 && (
        <Button className="button" onPress={() => onChange(Object.fromEntries(names.map((name) => [name, undefined])))}>
          {audit.clearFilters}
        </Button>
      )}
      <p className="quiet whole-line">{audit.prefixHint}</p>
    </section>
  );
}

function TextFilters({
  fields,
  filters,
  onChange,
}: FilterProps & { readonly fields: readonly (keyof typeof audit.fields)[] }) {
  return fields.map((name) => (
    <FilterText
      key={name}
      label={audit.fields[name]}
      value={filters[name] ?? ''}
      onChange={(value) => onChange({ [name]: value })}
    />
  ));
}
