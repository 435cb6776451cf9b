import { Readable } from 'node:stream';
import type { followAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/follow-audit-records';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { eventStreamResponse, lastEventIdOf } from '@waybill/http-kit/routing/event-stream';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { followRecords } from '../domain/reading/follow-records.ts';
import type { StoredLog } from '../domain/reading/log-reader.ts';

/** The readers who follow the audit log through this process. Disposing of it ends their streams. */
export interface AuditFollowers extends Disposable {
  readonly follow: EndpointHandler<typeof followAuditRecordsEndpoint>;
}

/** Each holds a connection, and asks the database for new records. */
const mostFollowers = { inAll: 100, ofUser: 10 } as const;

/** How long a refused reader is asked to wait. */
const retrySeconds = 30;

/** The followers of a stored log. */
export function createAuditFollowers(parts: { log: StoredLog; metrics: Metrics }): AuditFollowers {
  const stop = new AbortController();
  const streams = new Map<Readable, string>();
  parts.metrics.gauge({
    name: 'waybill_audit_event_streams',
    help: 'Clients that follow the audit log through this process',
    collect: (gauge) => gauge.set(streams.size),
  });
  return {
    follow: async ({ principal, query, headers, signal }) => {
      const ofUser = [...streams.values()].filter((name) => name === principal.userName).length;
      if (streams.size >= mostFollowers.inAll) throw refusal(`At most ${mostFollowers.inAll} clients`);
      if (ofUser >= mostFollowers.ofUser) throw refusal(`At most ${mostFollowers.ofUser} clients of one user`);
      const events = followRecords(parts.log, {
        filter: query.q,
        after: lastEventIdOf(headers),
        endsAt: principal.expiresAt ?? Date.now(),
        signal: AbortSignal.any([signal, stop.signal]),
      });
      const body = Readable.from(events, { objectMode: false });
      streams.set(body, principal.userName);
      body.once('close', () => streams.delete(body));
      return eventStreamResponse(body);
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

function refusal(whoMay: string): CodedError {
  const detail = `${whoMay} may follow the audit log through one process: try again in ${retrySeconds} seconds`;
  return new CodedError('too_many_requests', { detail, names: { retryAfterSeconds: String(retrySeconds) } });
}
