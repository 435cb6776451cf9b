import { requireServer, type Clusters } from './require-server.ts';
import type { ServerAddress, ServerSession } from './server-session.ts';
import type { SessionRegistry } from './session-registry.ts';

/** The sessions to return: at most `maxItem`, in the order in which they opened. */
export interface SessionQuery extends ServerAddress {
  readonly maxItem: number;
  readonly sort: 'ASC' | 'DESC';
  /** Whose sessions the caller may see. */
  reaches(userName: string): boolean;
}

/**
 * The open sessions of one server on one peer.
 * @throws CodedError as `requireServer`
 */
export async function querySessions(
  ports: { clusters: Clusters; registry: SessionRegistry },
  { maxItem, sort, reaches, ...server }: SessionQuery,
): Promise<readonly ServerSession[]> {
  await requireServer(ports, server);
  const sessions = (await ports.registry.list(server)).filter(({ userName }) => reaches(userName));
  const direction = sort === 'ASC' ? 1 : -1;
  return sessions
    .toSorted((a, b) => direction * (a.openedAt - b.openedAt || (a.sessionId < b.sessionId ? -1 : 1)))
    .slice(0, maxItem);
}
