import { useQuery } from '@tanstack/react-query';
import { readJobHoursEndpoint } from '@waybill/contracts/endpoints/jobs/job-hours';
import { formatBytes } from '../../../page-kit/format/format-bytes.ts';
import { serverNow } from '../../../page-kit/format/server-clock.ts';
import { useLastFailure } from '../../../page-kit/use-last-failure.ts';
import { number } from '../../../texts/numbers.ts';
import { useFilters } from '../../address/use-filters.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { isRefused, unlessRefused } from '../../api/refusals.ts';
import { Panel } from '../../frame/panel.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { BarChart } from './bar-chart.tsx';
import { barTimes, type ChartSpan, chartSpans, type SpanName } from './chart-span.ts';
import { useCounts } from './use-counts.ts';

const { now } = texts;

interface Counted {
  readonly title: string;
  readonly codes: readonly string[];
  /** Those of the administration: for readers of the audit log. */
  readonly managerCodes?: readonly string[];
  /** Only what clients do: jobs read and write files under the same codes. */
  readonly isOfClients?: boolean;
  /** The title of the bytes that were transferred; absent if nothing was. */
  readonly bytesTitle?: string;
}

/** What is counted, and the audit codes of it. */
const charts: readonly Counted[] = [
  { title: now.uploads, codes: ['AUD0041A'], isOfClients: true, bytesTitle: now.uploadedBytes },
  { title: now.downloads, codes: ['AUD0042A'], isOfClients: true, bytesTitle: now.downloadedBytes },
  { title: now.refusedLogins, codes: ['AUD0032A', 'AUD0034A'], managerCodes: ['AUD0008A', 'AUD0017A'] },
];

const spanNames: readonly SpanName[] = ['hour', 'day', 'week'];
const usualSpan: SpanName = 'day';
const filterNames = ['span'] as const;

/** Transfers with their bytes, refused logins and run times of jobs over time, each as bars and as a table. The span is in the address. */
export function ActivityCharts() {
  const { may, mayForAll } = usePermissions();
  const [{ span }, change] = useFilters(filterNames);
  const name = spanNames.find((one) => one === span) ?? usualSpan;
  const { unit, bars }: ChartSpan = chartSpans[name];
  return (
    <Panel title={now.charts} hint={now.chartsCount} isBroad>
      <fieldset className="choices">
        <legend className="visually-hidden">{now.span}</legend>
        {spanNames.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="span"
              checked={option === name}
              onChange={() => change({ span: option === usualSpan ? undefined : option })}
            />{' '}
            {now.spans[option]}
          </label>
        ))}
      </fieldset>
      <div className="charts">
        {(mayForAll('audit:read') || may('activity:read')) &&
          charts.map((counted) => <CountCharts key={counted.title} {...counted} unit={unit} bars={bars} />)}
        {mayForAll('jobs:read') && unit === 'hour' && <DurationCharts unit={unit} bars={bars} />}
      </div>
    </Panel>
  );
}

/** How many there were, and with how many bytes. */
function CountCharts({ unit, bars, ...counted }: ChartSpan & Counted) {
  const { title, codes, managerCodes = [], isOfClients = false, bytesTitle } = counted;
  const hasBytes = bytesTitle !== undefined;
  const { counts, failure } = useCounts({ codes, managerCodes, isOfClients, hasBytes }, { unit, bars });
  if (counts === undefined || isRefused(failure))
    return <UnreadChart key={`${unit} ${bars}`} title={title} error={failure} />;
  const numbers = counts.map(({ time, count }) => ({ time, value: count }));
  const bytes = counts.map((one) => ({ time: one.time, value: one.bytes }));
  return (
    <>
      <SumChart title={title} unit={unit} bars={numbers} />
      {bytesTitle !== undefined && <SumChart title={bytesTitle} unit={unit} bars={bytes} format={formatBytes} />}
    </>
  );
}

/** Instead of a chart whose figures were not read yet. */
function UnreadChart({ title, error }: { readonly title: string; readonly error: Error | null }) {
  const failure = useLastFailure(error);
  return <p className="quiet">{failure === null ? texts.loading : now.chartFailed(title, failure.message)}</p>;
}

interface SumChartProps {
  readonly title: string;
  readonly unit: ChartSpan['unit'];
  readonly bars: readonly { readonly time: number; readonly value: number }[];
  readonly format?: (value: number) => string;
}

function SumChart({ title, unit, bars, format = (value) => number(value) }: SumChartProps) {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return <BarChart name={title} caption={now.chartOf(title, format(total))} unit={unit} bars={bars} format={format} />;
}

function DurationCharts({ unit, bars }: ChartSpan) {
  const { data, error } = useQuery({
    queryKey: ['job hours', unit, bars],
    queryFn: ({ signal }) => readHours({ unit, bars }, signal),
    refetchInterval: unlessRefused(refreshEveryMs.costly),
  });
  if (data === undefined || isRefused(error))
    return <UnreadChart key={`${unit} ${bars}`} title={now.runTimes} error={error} />;
  return (['p50', 'p95'] as const).map((share) => {
    const values = data.map(({ time, runTime }) => ({ time, value: runTime?.[share] ?? 0 }));
    const most = Math.max(0, ...values.map(({ value }) => value));
    const name = now.runTimeOf[share];
    const caption = now.runTimeCaption(name, now.seconds(most));
    return <BarChart key={share} {...{ name, caption, unit }} bars={values} format={now.seconds} />;
  });
}

async function readHours(span: ChartSpan, signal: AbortSignal) {
  const times = barTimes(span, serverNow());
  const query = { from: new Date(times[0] ?? 0).toISOString() };
  const { hours } = await callEndpoint(readJobHoursEndpoint, { query, signal });
  const found = new Map(hours.map(({ hour, runTime }) => [Date.parse(hour), runTime]));
  return times.map((time) => ({ time, runTime: found.get(time) }));
}
