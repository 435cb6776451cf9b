import { useQuery } from '@tanstack/react-query';
import {
  type AuditCount,
  countAuditRecordsEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Panel } from '../../frame/panel.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { BarChart } from './bar-chart.tsx';

const { now } = texts;

/** What is counted, and the audit codes of it. */
const charts: readonly (readonly [name: string, codes: readonly string[]])[] = [
  [now.uploads, ['AUD0041A']],
  [now.downloads, ['AUD0042A']],
  [now.refusedLogins, ['AUD0008A', 'AUD0017A', 'AUD0032A', 'AUD0034A']],
];

const hourMs = 3_600_000;
const hours = 24;

/** Transfers and refused logins of the last day by hour, as the audit log has them. */
export function ActivityCharts() {
  const { data, error } = useQuery({
    queryKey: ['activity'],
    queryFn: ({ signal }) => readCounts(signal),
    refetchInterval: refreshEveryMs.costly,
  });
  return (
    <Panel title={now.charts} error={error} isBroad>
      <div className="charts">
        {data !== undefined &&
          charts.map(([name, codes]) => (
            <BarChart key={name} name={name} bars={barsOf(data.from, data.counts.filter(isOneOf(codes)))} />
          ))}
      </div>
    </Panel>
  );
}

async function readCounts(signal: AbortSignal): Promise<{ from: number; counts: readonly AuditCount[] }> {
  const from = (Math.floor(Date.now() / hourMs) - hours + 1) * hourMs;
  const q = `{fromAuditTime="${new Date(from).toISOString()}"}`;
  return {
    from,
    counts: await callEndpoint(countAuditRecordsEndpoint, { query: { q, by: 'auditCode', unit: 'hour' }, signal }),
  };
}

function isOneOf(codes: readonly string[]): (count: AuditCount) => boolean {
  return ({ value }) => value !== null && codes.includes(value);
}

function barsOf(from: number, counts: readonly AuditCount[]) {
  return Array.from({ length: hours }, (_, index) => {
    const time = new Date(from + index * hourMs);
    const ofHour = counts.filter((count) => Date.parse(count.time) === time.getTime());
    return { time, count: ofHour.reduce((sum, { count }) => sum + count, 0) };
  });
}
