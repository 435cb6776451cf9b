import type { JobEventFilter } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
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

/** Each holds a connection and a little memory. */
const mostFollowers = { inAll: 200, ofUser: 10 } as const;

/** How long a refused follower is asked to wait. */
const retrySeconds = 30;

/** The followers of jobs. */
export function createJobFollowers(ports: {
  feed: ChangeFeed;
  source: Pick<ChangeSource, 'between'>;
  metrics: Metrics;
}): JobFollowers {
  const { feed, source, metrics } = ports;
  const streams = new Map<JobEventStream, UserName>();
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
      const ofUser = [...streams.values()].filter((name) => name === userName).length;
      if (streams.size >= mostFollowers.inAll) throw refusal(`At most ${mostFollowers.inAll} clients`);
      if (ofUser >= mostFollowers.ofUser) throw refusal(`At most ${mostFollowers.ofUser} clients of one user`);
      const stream = new JobEventStream({ filter, source, endsAt, onCutOff: () => cutOff.inc() });
      streams.set(stream, userName);
      stream.once('close', () => streams.delete(stream));
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
      for (const stream of streams.keys()) stream.finish();
    },
  };
}

function refusal(whoMay: string): CodedError {
  const detail = `${whoMay} may follow the jobs through one process: try again in ${retrySeconds} seconds`;
  return new CodedError('too_many_requests', { detail, names: { retryAfterSeconds: String(retrySeconds) } });
}
