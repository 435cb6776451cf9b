import { useQuery } from '@tanstack/react-query';
import { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { Reading } from '../../../page-kit/components/reading.tsx';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { serverNow } from '../../../page-kit/format/server-clock.ts';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Bars } from '../../lists/bars.tsx';
import { texts } from '../../texts/texts.ts';
import { type AuditFilters, expressionOf } from './audit-filters.ts';
import { barsBetween, chartRange } from './chart-range.ts';

const { audit } = texts;

/** How many records match, over time: as bars, and as a table. */
export function CountChart({ filters }: { readonly filters: AuditFilters }) {
  const { data, error } = useQuery({
    queryKey: ['audit', 'counts', filters],
    queryFn: ({ signal }) => readBars(filters, signal),
  });
  if (data === undefined) return <Reading error={error} />;
  const total = data.reduce((sum, { count }) => sum + count, 0);
  return (
    <figure className="chart">
      <figcaption>{audit.counted(total, formatTime(data[0]?.time), filters.toAuditTime === undefined)}</figcaption>
      <Bars bars={data.map(({ time, count }) => ({ time: Date.parse(time), value: count }))} format={formatNumber} />
      <CountTable bars={data} />
    </figure>
  );
}

function CountTable({ bars }: { readonly bars: readonly { readonly time: string; readonly count: number }[] }) {
  return (
    <details>
      <summary>{audit.asTable}</summary>
      <table>
        <thead>
          <tr>
            <th>{audit.from('')}</th>
            <th className="number">{audit.records}</th>
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ count }) => count > 0)
            .map(({ time, count }) => (
              <tr key={time}>
                <td>{formatTime(time)}</td>
                <td className="number">{formatNumber(count)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}

function formatNumber(value: number): string {
  return number(value);
}

async function readBars(filters: AuditFilters, signal: AbortSignal) {
  const range = chartRange(filters, serverNow());
  const q = expressionOf({ ...filters, fromAuditTime: new Date(range.from).toISOString() });
  const counts = await callEndpoint(countAuditRecordsEndpoint, { query: { q, unit: range.unit }, signal });
  return barsBetween(range, counts);
}
