import type { UserName } from '@waybill/contracts/values/user-name';
import { createOpenStreams } from '@waybill/http-kit/routing/open-streams';
import type { SessionFeed } from '../domain/sessions/session-feed.ts';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import { SessionEventStream } from './session-event-stream.ts';

/** The followers of sessions through this process. Disposing of it ends their streams. */
export interface SessionFollowers extends Disposable {
  /** `endsAt` in milliseconds since 1970. @throws CodedError `too_many_requests` */
  follow(follower: { readonly userName: UserName; readonly endsAt: number }): SessionEventStream;
}

const limits = { inAll: 200, ofUser: 50, action: 'follow the sessions' } as const;

/** @param ports.registry provides the snapshots */
export function createSessionFollowers(ports: {
  feed: SessionFeed;
  registry: Pick<SessionRegistry, 'listAll'>;
}): SessionFollowers {
  const { feed, registry } = ports;
  const streams = new Set<SessionEventStream>();
  const places = createOpenStreams(limits);
  return {
    follow: ({ userName, endsAt }) => {
      const close = places.open(userName);
      const stream = new SessionEventStream({ feed, snapshot: () => registry.listAll(), endsAt });
      streams.add(stream);
      stream.once('close', () => {
        streams.delete(stream);
        close();
      });
      return stream;
    },
    [Symbol.dispose]: () => {
      for (const stream of streams) stream.finish();
    },
  };
}
