import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { SessionFeed } from '../domain/sessions/session-feed.ts';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import { SessionEventStream } from './session-event-stream.ts';

/** The followers of sessions through this process. Disposing of it ends their streams. */
export interface SessionFollowers extends Disposable {
  /** @throws CodedError `too_many_requests` */
  follow(endsAt: number): SessionEventStream;
}

/** Each holds a connection and a little memory. */
const mostFollowers = 200;

/** How long a refused follower is asked to wait. */
const retrySeconds = 30;

/** @param ports.registry provides the snapshots */
export function createSessionFollowers(ports: {
  feed: SessionFeed;
  registry: Pick<SessionRegistry, 'listAll'>;
}): SessionFollowers {
  const { feed, registry } = ports;
  const streams = new Set<SessionEventStream>();
  return {
    follow: (endsAt) => {
      if (streams.size >= mostFollowers) {
        const detail = `At most ${mostFollowers} may follow the sessions through one peer: try again in ${retrySeconds} seconds`;
        throw new CodedError('too_many_requests', { detail, names: { retryAfterSeconds: String(retrySeconds) } });
      }
      const stream = new SessionEventStream({ feed, snapshot: () => registry.listAll(), endsAt });
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      return stream;
    },
    [Symbol.dispose]: () => {
      for (const stream of streams) stream.finish();
    },
  };
}
