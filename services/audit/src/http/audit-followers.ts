import { Readable } from 'node:stream';
import type { followAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/follow-audit-records';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { eventStreamResponse, lastEventIdOf } from '@waybill/http-kit/routing/event-stream';
import { createOpenStreams } from '@waybill/http-kit/routing/open-streams';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { followRecords } from '../domain/reading/follow-records.ts';
import type { StoredLog } from '../domain/reading/log-reader.ts';

/** The readers who follow the audit log through this process. Disposing of it ends their streams. */
export interface AuditFollowers extends Disposable {
  readonly follow: EndpointHandler<typeof followAuditRecordsEndpoint>;
}

const limits = { inAll: 100, ofUser: 10, action: 'follow the audit log' } as const;

/** The followers of a stored log. */
export function createAuditFollowers(parts: { log: StoredLog; metrics: Metrics }): AuditFollowers {
  const stop = new AbortController();
  const streams = createOpenStreams(limits);
  parts.metrics.gauge({
    name: 'waybill_audit_event_streams',
    help: 'Clients that follow the audit log through this process',
    collect: (gauge) => gauge.set(streams.count),
  });
  return {
    follow: async ({ principal, query, headers, signal }) => {
      const close = streams.open(principal.userName);
      const events = followRecords(parts.log, {
        filter: query.q,
        after: lastEventIdOf(headers),
        endsAt: principal.expiresAt ?? Date.now(),
        signal: AbortSignal.any([signal, stop.signal]),
      });
      const body = Readable.from(events, { objectMode: false });
      body.once('close', close);
      return eventStreamResponse(body);
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}
