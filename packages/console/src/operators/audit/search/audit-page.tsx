import { Link } from 'react-aria-components';
import { FaultyFilters } from '../../address/faulty-filters.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { usePermissions } from '../../api/permissions.ts';
import { PageFrame } from '../../frame/page-frame.tsx';
import { texts } from '../../texts/texts.ts';
import { RedactButton } from '../redaction/redact-button.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { auditFilterNames, expressionOf, findFaultyAuditFilters } from './audit-filters.ts';
import { CountChart } from './count-chart.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { RecordTable } from './record-table.tsx';

const { audit } = texts;

/** The records of the audit log that match the filters in the address. */
export function AuditPage() {
  const [filters, changeFilters] = useFilters(auditFilterNames);
  const mayRedact = usePermissions().may('audit:write');
  const q = expressionOf(filters);
  const faulty = findFaultyAuditFilters(filters);
  return (
    <PageFrame title={audit.title} actions={<Link href="/audit-integrity">{audit.integrity}</Link>}>
      <AuditFilterBar filters={filters} onChange={changeFilters} />
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <>
          <CountChart filters={filters} />
          <div className="buttons">
            <ExportButtons key={JSON.stringify(filters)} filters={filters} />
            {mayRedact && q !== undefined && <RedactButton target={{ q }} />}
          </div>
          <RecordTable key={`list ${JSON.stringify(filters)}`} filters={filters} />
        </>
      )}
    </PageFrame>
  );
}
