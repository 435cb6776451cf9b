import { useQuery } from '@tanstack/react-query';
import { readAuditCheckpointEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-checkpoint';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { Panel } from '../../frame/panel.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';

const { now } = texts;

/** How far the audit log is signed, and how far witnesses have signed it. Reading that is not recorded in the log. */
export function AuditState() {
  const { data, error } = useQuery({
    queryKey: ['audit state'],
    queryFn: ({ signal }) => readAuditState(signal),
    refetchInterval: unlessRefused(refreshEveryMs.slow),
  });
  return (
    <Panel title={now.auditLog} error={error} isRead={data !== undefined}>
      {data !== undefined && (
        <dl className="facts">
          <div>
            <dt>{now.checkpoint}</dt>
            <dd>{number(data.size)}</dd>
          </div>
          <div>
            <dt>{now.cosigned}</dt>
            <dd>{data.cosignedSize === undefined ? now.noWitness : number(data.cosignedSize)}</dd>
          </div>
        </dl>
      )}
    </Panel>
  );
}

async function readAuditState(signal: AbortSignal) {
  const [last, cosigned] = await Promise.all([
    callEndpoint(readAuditCheckpointEndpoint, { signal }),
    callEndpoint(readAuditCheckpointEndpoint, { query: { cosigned: 'true' }, signal }),
  ]);
  const hasWitness = signaturesOf(cosigned) > 1;
  return {
    size: sizeOf(last),
    cosignedSize: hasWitness ? sizeOf(cosigned) : undefined,
  };
}

/** The number of records is the second line of a checkpoint (C2SP tlog-checkpoint). */
function sizeOf(checkpoint: string): number {
  return Number(checkpoint.split('\n')[1]);
}

/** The first signature is that of the log. */
function signaturesOf(checkpoint: string): number {
  return checkpoint.split('\n').filter((line) => line.startsWith('— ')).length;
}
