import { useQuery } from '@tanstack/react-query';
import { countActivityEndpoint } from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
import { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { refreshEveryMs } from '../refresh.ts';
import { barTimes, type ChartSpan } from './chart-span.ts';

/** What is counted over time. */
export interface CountedRecords {
  /** Audit codes of the activity of partners and jobs. */
  readonly codes: readonly string[];
  /** Those of the administration: for readers of the audit log. */
  readonly managerCodes: readonly string[];
  /** Whether the bytes are added up as well. */
  readonly hasBytes: boolean;
}

/** The records of one bar. */
interface Count {
  /** The beginning of the bar, in milliseconds since 1970. */
  readonly time: number;
  readonly count: number;
  readonly bytes: number;
}

/**
 * Counts records in each bar of a span. The activity is counted where the user may see it, the audit log for the rest. Both seldom:
 * each reading is a record of the log.
 */
export function useCounts(
  { codes, managerCodes, hasBytes }: CountedRecords,
  { unit, bars }: ChartSpan,
): { readonly counts: readonly Count[] | undefined; readonly failure: Error | undefined } {
  const { may, mayForAll } = usePermissions();
  const seesActivity = may('activity:read');
  const ofLog = mayForAll('audit:read') ? [...(seesActivity ? [] : codes), ...managerCodes] : [];
  const activity = useQuery({
    queryKey: ['activity', codes, unit, bars],
    queryFn: ({ signal }) => readCounts({ endpoint: countActivityEndpoint, codes, hasBytes }, { unit, bars }, signal),
    refetchInterval: refreshEveryMs.recorded,
    staleTime: refreshEveryMs.recorded,
    enabled: seesActivity,
  });
  const log = useQuery({
    queryKey: ['counts of the audit log', ofLog, unit, bars],
    queryFn: ({ signal }) =>
      readCounts({ endpoint: countAuditRecordsEndpoint, codes: ofLog, hasBytes }, { unit, bars }, signal),
    refetchInterval: refreshEveryMs.recorded,
    staleTime: refreshEveryMs.recorded,
    enabled: ofLog.length > 0,
  });
  const asked = [...(seesActivity ? [activity] : []), ...(ofLog.length > 0 ? [log] : [])];
  const answers = asked.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    counts: answers.length < asked.length ? undefined : sumOf(answers),
    failure: asked.find(({ error }) => error !== null)?.error ?? undefined,
  };
}

/** The sum of each bar of the first answer, which is the newest. */
function sumOf([newest = [], ...others]: readonly (readonly Count[])[]): readonly Count[] {
  return newest.map(({ time, ...own }) => {
    const same = others.flatMap((counts) => counts.filter((one) => one.time === time));
    const add = (of: 'count' | 'bytes'): number => same.reduce((sum, one) => sum + one[of], own[of]);
    return { time, count: add('count'), bytes: add('bytes') };
  });
}

/** Each code is counted by its index; other records of the time are not read. */
async function readCounts(
  counted: {
    readonly endpoint: typeof countActivityEndpoint | typeof countAuditRecordsEndpoint;
    readonly codes: readonly string[];
    readonly hasBytes: boolean;
  },
  span: ChartSpan,
  signal: AbortSignal,
): Promise<readonly Count[]> {
  const times = barTimes(span, Date.now());
  const from = new Date(times[0] ?? 0).toISOString();
  const found = new Map(times.map((time) => [time, { count: 0, bytes: 0 }]));
  for (const code of counted.codes) {
    const q = `{auditCode="${code}",fromAuditTime="${from}"}`;
    const query = { q, unit: span.unit, ...(counted.hasBytes && { bytes: 'true' as const }) };
    for (const { time, count, bytes = 0 } of await callEndpoint(counted.endpoint, { query, signal })) {
      const sums = found.get(Date.parse(time));
      if (sums) Object.assign(sums, { count: sums.count + count, bytes: sums.bytes + bytes });
    }
  }
  return times.map((time) => ({ time, count: 0, bytes: 0, ...found.get(time) }));
}
