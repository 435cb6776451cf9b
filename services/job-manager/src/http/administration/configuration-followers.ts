import { Readable } from 'node:stream';
import type { UserName } from '@waybill/contracts/values/user-name';
import { createOpenStreams } from '@waybill/http-kit/routing/open-streams';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Clients that are told through this process when the configuration changes. Disposing of it ends their streams. */
export interface ConfigurationFollowers extends Disposable {
  /** `endsAt` in milliseconds since 1970. @throws CodedError `too_many_requests` */
  follow(follower: { readonly userName: UserName; readonly endsAt: number }): Readable;
  /** Tells all followers, a moment later, that something may have changed. */
  report(): void;
}

const limits = { inAll: 200, ofUser: 50, action: 'follow the configuration' } as const;

/** Changes within this time are one event. */
const gatherMs = 200;

const heartbeatMs = 15_000;

/** The longest delay that a timer supports. */
const longestTimerMs = 2_147_483_647;

/** The followers of the configuration. They cost PostgreSQL nothing, however many there are. */
export function createConfigurationFollowers({ metrics }: { metrics: Metrics }): ConfigurationFollowers {
  const streams = new Set<Readable>();
  const places = createOpenStreams(limits);
  let gathering: NodeJS.Timeout | undefined;
  metrics.gauge({
    name: 'waybill_configuration_event_streams',
    help: 'Clients that follow the changes of the configuration through this process',
    collect: (gauge) => gauge.set(streams.size),
  });
  const sendAll = (): void => {
    gathering = undefined;
    for (const stream of streams) send(stream, changeEvent);
  };
  const heartbeat = setInterval(() => {
    for (const stream of streams) send(stream, ': still here\n\n');
  }, heartbeatMs).unref();
  return {
    follow: ({ userName, endsAt }) => {
      const close = places.open(userName);
      const stream = new Readable({ read: () => undefined });
      streams.add(stream);
      const remainingMs = Math.min(Math.max(0, endsAt - Date.now()), longestTimerMs);
      const end = setTimeout(() => stream.push(null), remainingMs);
      stream.once('close', () => {
        clearTimeout(end);
        streams.delete(stream);
        close();
      });
      stream.push('event: ready\ndata: {}\n\n');
      return stream;
    },
    report: () => {
      gathering ??= setTimeout(sendAll, gatherMs).unref();
    },
    [Symbol.dispose]: () => {
      clearTimeout(gathering);
      clearInterval(heartbeat);
      for (const stream of streams) stream.push(null);
    },
  };
}

const changeEvent = 'event: change\ndata: {}\n\n';

/** A slow reader has unread events: the last of them reports this change, too. Its memory is bounded. */
function send(stream: Readable, text: string): void {
  if (stream.readableEnded || stream.destroyed || stream.readableLength > changeEvent.length * 4) return;
  stream.push(text);
}
