import { useQuery } from '@tanstack/react-query';
import { listSigningKeysEndpoint } from '@waybill/contracts/endpoints/access/list-signing-keys';
import { readAuditCheckpointEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-checkpoint';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import { fetchEndpoint } from '../../api/send-endpoint.ts';
import { Panel } from '../../frame/panel.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';

const { now } = texts;

/** An address of each service that costs nothing: without a token the response is a refusal, which a service makes alone. */
const services: readonly (readonly [name: string, endpoint: EndpointContract])[] = [
  [now.jobManager, listSigningKeysEndpoint],
  [now.gateway, listServerSessionsEndpoint],
  [now.audit, readAuditCheckpointEndpoint],
];

/** Whether the services answer this page. */
export function ServiceList() {
  return (
    <Panel title={now.services}>
      <ul className="services">
        {services.map(([name, endpoint]) => (
          <Service key={name} name={name} endpoint={endpoint} />
        ))}
      </ul>
    </Panel>
  );
}

function Service({ name, endpoint }: { readonly name: string; readonly endpoint: EndpointContract }) {
  const { data, error } = useQuery({
    queryKey: ['service', endpoint.id],
    queryFn: ({ signal }) => answerOf(endpoint, signal),
    refetchInterval: refreshEveryMs.slow,
    retry: false,
  });
  const failure = error?.message ?? data?.failure;
  return (
    <li>
      {name}{' '}
      <span className="badge" data-status={failure === undefined ? 'working' : 'ERROR'}>
        {failure ?? (data ? now.answers : texts.loading)}
      </span>
    </li>
  );
}

async function answerOf(endpoint: EndpointContract, signal: AbortSignal): Promise<{ failure: string | undefined }> {
  const { status } = await fetchEndpoint(endpoint, { signal }, undefined);
  return { failure: status >= 500 ? texts.unexpected(status) : undefined };
}
