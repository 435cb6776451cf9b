import { terminationChannel } from '@waybill/contracts/messages/session-termination';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { ServerAddress } from '../domain/sessions/server-session.ts';

/** Names in Redis. The parts are encoded, so that no part can change the structure of a key. */
export const registryKeys = {
  /** Sorted set: the gateway processes, as JSON of `processSchema`, by the millisecond at which their lease ends. */
  processes: keyOf('processes'),
  /** Hash: session id to session of a process, as JSON. Has a lease. */
  sessions: (processId: string) => keyOf('sessions', processId),
  /** Hash: session id to activity, as JSON. Has a lease. */
  activities: (processId: string) => keyOf('activities', processId),
  /** Channel of all changes. */
  changes: keyOf('session-changes'),
  /** Sorted set: the ids of a server's sessions on all peers, by the millisecond at which their lease ends. */
  slots: ({ clusterName, serverName }: ServerAddress) => keyOf('slots', clusterName, serverName),
  /** The same for one user. */
  userSlots: ({ clusterName, serverName }: ServerAddress, userName: UserName) =>
    keyOf('user-slots', clusterName, serverName, userName),
  /** Channel of the requests to a peer to end sessions. */
  requests: terminationChannel,
  /** Channel of the responses to one process. */
  answers: (processId: string) => keyOf('answers', processId),
};

function keyOf(...parts: readonly string[]): string {
  return ['waybill', 'sftp', ...parts.map(encodeURIComponent)].join(':');
}
