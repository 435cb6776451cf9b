import {
  type AuditExportFormat,
  exportAuditRecordsEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { useAction } from '../../../page-kit/use-action.ts';
import { saveResponse } from '../../api/call-for-response.ts';
import { texts } from '../../texts/texts.ts';
import { type AuditFilters, expressionOf } from './audit-filters.ts';

const { audit } = texts;

/** The formats of an export, each with the ending of its file. */
const formats: readonly (readonly [format: AuditExportFormat, ending: string])[] = [
  ['ndjson', 'ndjson'],
  ['csv', 'csv'],
  ['cef', 'cef'],
  ['ocsf', 'ocsf.ndjson'],
];

/** Buttons that save the records that match, in a format each. */
export function ExportButtons({ filters }: { readonly filters: AuditFilters }) {
  return (
    <div className="buttons" role="group" aria-label={audit.export}>
      <span className="quiet">{audit.export}</span>
      {formats.map(([format, ending]) => (
        <ExportButton key={format} {...{ filters, format, ending }} />
      ))}
    </div>
  );
}

function ExportButton(props: {
  readonly filters: AuditFilters;
  readonly format: AuditExportFormat;
  readonly ending: string;
}) {
  const { filters, format, ending } = props;
  const { isBusy, failure, run } = useAction(
    () => saveResponse(exportAuditRecordsEndpoint, { query: { format, q: expressionOf(filters) } }, `audit.${ending}`),
    () => undefined,
  );
  return (
    <>
      <BusyButton className="button small" isBusy={isBusy} onPress={run}>
        {audit.formats[format]}
      </BusyButton>
      {failure !== undefined && (
        <span className="failure" role="alert">
          {failure}
        </span>
      )}
    </>
  );
}
