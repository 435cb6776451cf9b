import type { ClientConnection } from '@waybill/contracts/configuration/connections/client-connection';
import type { Directory } from '@waybill/directory/directory';

/** How a client connection does in one worker. */
export interface WorkerConnection {
  readonly name: string;
  readonly worker: string;
  readonly reportedAt: Date;
  readonly inUse: number;
  readonly idle: number;
  /** Steps that wait for a connection. */
  readonly waiting: number;
  /** Whether the other side is left alone because it has failed repeatedly. */
  readonly isOpen: boolean;
  readonly nextAttemptAt?: Date | undefined;
  readonly lastSuccessAt?: Date | undefined;
  /** The message is without secrets. */
  readonly lastFailure?: { readonly at: Date; readonly code: string; readonly message: string } | undefined;
}

/** What workers have reported in the last seconds. */
export interface ConnectionReports {
  read(): Promise<readonly WorkerConnection[]>;
}

/** How a client connection of the configuration does. */
export interface ListedConnection {
  /** The actor; empty: the platform. */
  readonly owner: string;
  readonly connection: Pick<ClientConnection, 'name' | 'type' | 'enabled'>;
  readonly state: 'Unused' | 'Working' | 'Failing' | 'Suspended';
  readonly workers: readonly WorkerConnection[];
}

/** Lists the client connections of the configuration; with `actors`, only those that belong to one of them. */
export type ListConnectionHealth = (actors: readonly string[] | undefined) => Promise<ListedConnection[]>;

/** Joins the configuration with the reports of the workers. */
export function createListConnectionHealth(
  directory: Pick<Directory, 'listClientConnections'>,
  reports: ConnectionReports,
): ListConnectionHealth {
  return async (actors) => {
    const [configured, reported] = await Promise.all([directory.listClientConnections(), reports.read()]);
    return configured
      .filter(({ owner }) => actors === undefined || actors.includes(owner))
      .map(({ owner, connection }) => {
        const workers = reported
          .filter(({ name }) => name === connection.name)
          .toSorted((one, other) => one.worker.localeCompare(other.worker));
        return { owner, connection, state: stateOf(workers), workers };
      });
  };
}

function stateOf(workers: readonly WorkerConnection[]): ListedConnection['state'] {
  if (workers.some(({ isOpen }) => isOpen)) return 'Suspended';
  const last = (times: readonly (Date | undefined)[]): number => Math.max(0, ...times.map((at) => at?.getTime() ?? 0));
  const success = last(workers.map(({ lastSuccessAt }) => lastSuccessAt));
  const failure = last(workers.map(({ lastFailure }) => lastFailure?.at));
  if (failure > success) return 'Failing';
  return success > 0 ? 'Working' : 'Unused';
}
