import type { listConnectionHealthEndpoint } from '@waybill/contracts/endpoints/connections/list-connection-health';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { ListConnectionHealth, WorkerConnection } from '../../domain/connections/list-connection-health.ts';

/** How client connections do. */
export function createListConnectionHealthHandler({
  listConnectionHealth,
}: {
  readonly listConnectionHealth: ListConnectionHealth;
}): EndpointHandler<typeof listConnectionHealthEndpoint> {
  return async ({ actors }) => ({
    status: 200,
    body: {
      connections: (await listConnectionHealth(actors)).map(({ owner, connection, state, workers }) => ({
        name: connection.name,
        type: connection.type,
        actor: owner === '' ? null : owner,
        enabled: connection.enabled,
        state,
        workers: workers.map(presentWorker),
      })),
    },
  });
}

function presentWorker({ isOpen, lastFailure, name: _name, ...worker }: WorkerConnection) {
  return {
    worker: worker.worker,
    reportedAt: worker.reportedAt.toISOString(),
    circuit: isOpen ? ('Open' as const) : ('Closed' as const),
    nextAttemptAt: worker.nextAttemptAt?.toISOString() ?? null,
    inUse: worker.inUse,
    idle: worker.idle,
    waiting: worker.waiting,
    lastSuccessAt: worker.lastSuccessAt?.toISOString() ?? null,
    lastFailure: lastFailure ? { ...lastFailure, at: lastFailure.at.toISOString() } : null,
  };
}
