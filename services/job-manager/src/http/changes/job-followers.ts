import type { JobEventFilter } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import type { UserName } from '@waybill/contracts/values/user-name';
import { createOpenStreams } from '@waybill/http-kit/routing/open-streams';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { ChangeFeed } from '../../domain/changes/follow-changes.ts';
import type { ChangeSource } from '../../domain/changes/status-change.ts';
import { JobEventStream } from './job-event-stream.ts';

/** A user who follows jobs. */
export interface Follower {
  readonly userName: UserName;
  readonly filter: JobEventFilter;
  /** The last event that the client knows. */
  readonly after: number | undefined;
  /** The end of the stream, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** The followers of jobs through this process. Disposing of it ends their streams. */
export interface JobFollowers extends Disposable {
  /** @throws CodedError `too_many_requests` */
  follow(follower: Follower): Promise<JobEventStream>;
}

const limits = { inAll: 200, ofUser: 10, action: 'follow the jobs' } as const;

/** The followers of jobs. */
export function createJobFollowers(ports: {
  feed: ChangeFeed;
  source: Pick<ChangeSource, 'between'>;
  metrics: Metrics;
}): JobFollowers {
  const { feed, source, metrics } = ports;
  const streams = new Set<JobEventStream>();
  const places = createOpenStreams(limits);
  metrics.gauge({
    name: 'waybill_job_event_streams',
    help: 'Clients that follow the changes of jobs through this process',
    collect: (gauge) => gauge.set(streams.size),
  });
  const cutOff = metrics.counter({
    name: 'waybill_job_event_streams_cut_off_total',
    help: 'Streams of events about jobs that ended because their client read too slowly',
  });
  return {
    follow: async ({ userName, filter, after, endsAt }) => {
      const close = places.open(userName);
      const stream = new JobEventStream({ filter, source, endsAt, onCutOff: () => cutOff.inc() });
      streams.add(stream);
      stream.once('close', () => {
        streams.delete(stream);
        close();
      });
      try {
        const { position, stop } = await feed.follow((changes) => stream.receive(changes));
        stream.once('close', stop);
        if (stream.destroyed) stop();
        stream.begin({ position, after });
        return stream;
      } catch (error) {
        stream.destroy();
        throw error;
      }
    },
    [Symbol.dispose]: () => {
      for (const stream of streams) stream.finish();
    },
  };
}
