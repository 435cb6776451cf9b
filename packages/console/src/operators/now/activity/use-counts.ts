import { useQuery } from '@tanstack/react-query';
import { countActivityEndpoint } from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
import { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { serverNow } from '../../../page-kit/format/server-clock.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { refreshEveryMs } from '../refresh.ts';
import { barTimes, type ChartSpan } from './chart-span.ts';

/** What is counted over time. */
export interface CountedRecords {
  /** Audit codes of the activity of partners and jobs. */
  readonly codes: readonly string[];
  /** Those of the administration: for readers of the audit log. */
  readonly managerCodes: readonly string[];
  /** Whether only records with the address of a client are counted: those of jobs have none. */
  readonly isOfClients: boolean;
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
 * Counts records in each bar of a span: in the audit log, or in the activity for a user who may not read the log. Seldom, because each
 * reading is a record of the log.
 */
export function useCounts(
  { codes, managerCodes, isOfClients, hasBytes }: CountedRecords,
  { unit, bars }: ChartSpan,
): { readonly counts: readonly Count[] | undefined; readonly failure: Error | null } {
  const ofLog = usePermissions().mayForAll('audit:read');
  const counted = ofLog
    ? { endpoint: countAuditRecordsEndpoint, codes: [...codes, ...managerCodes], isOfClients, hasBytes }
    : { endpoint: countActivityEndpoint, codes, isOfClients, hasBytes };
  const { data, error } = useQuery({
    queryKey: ['counts', counted.endpoint.id, counted.codes, isOfClients, unit, bars],
    queryFn: ({ signal }) => readCounts(counted, { unit, bars }, signal),
    refetchInterval: unlessRefused(refreshEveryMs.recorded),
    staleTime: refreshEveryMs.recorded,
  });
  return { counts: data, failure: error };
}

/** Each code is counted by its index; other records of the time are not read. */
async function readCounts(
  counted: {
    readonly endpoint: typeof countActivityEndpoint | typeof countAuditRecordsEndpoint;
    readonly codes: readonly string[];
    readonly isOfClients: boolean;
    readonly hasBytes: boolean;
  },
  span: ChartSpan,
  signal: AbortSignal,
): Promise<readonly Count[]> {
  const times = barTimes(span, serverNow());
  const from = new Date(times[0] ?? 0).toISOString();
  const found = new Map(times.map((time) => [time, { count: 0, bytes: 0 }]));
  for (const code of counted.codes) {
    const q = `{auditCode="${code}",fromAuditTime="${from}"${counted.isOfClients ? ',address^=""' : ''}}`;
    const query = { q, unit: span.unit, ...(counted.hasBytes && { bytes: 'true' as const }) };
    for (const { time, count, bytes = 0 } of await callEndpoint(counted.endpoint, { query, signal })) {
      const sums = found.get(Date.parse(time));
      if (sums) Object.assign(sums, { count: sums.count + count, bytes: sums.bytes + bytes });
    }
  }
  return times.map((time) => ({ time, count: 0, bytes: 0, ...found.get(time) }));
}
