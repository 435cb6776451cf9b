import { useQuery } from '@tanstack/react-query';
import { listAuditKeysEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-keys';
import { readAuditCheckpointEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-checkpoint';
import type { PlatformHealthView } from '@waybill/contracts/endpoints/platform/read-platform-health';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { Panel } from '../../frame/panel.tsx';
import { usePlatformHealth } from '../../now/health/use-platform-health.ts';
import { texts } from '../../texts/texts.ts';
import { cosignersOf, type KeyValidity, parseCheckpoint, signerOf } from '../proof/checkpoint.ts';

const { audit, health } = texts;

const refreshEveryMs = 15_000;

/** The last checkpoint, whose signature the page verifies, and how far witnesses are behind it. */
export function CheckpointPanel() {
  const { data, error } = useQuery({
    queryKey: ['audit', 'checkpoint'],
    queryFn: ({ signal }) => readCheckpoints(signal),
    refetchInterval: unlessRefused(refreshEveryMs),
  });
  const log = usePlatformHealth(usePermissions().may('health:read')).data?.audit;
  const signedAt = log?.checkpoint?.signedAt ?? undefined;
  return (
    <Panel title={audit.checkpoint} error={error} isRead={data !== undefined}>
      {data !== undefined && (
        <>
          <dl className="facts">
            {[
              [audit.origin, data.origin],
              [audit.records, number(data.size)],
              [audit.signature, data.signer === undefined ? audit.notSigned : audit.signed],
              [audit.key, data.signer ?? '—'],
              ...(signedAt === undefined ? [] : [[audit.signedAt, formatTime(signedAt)]]),
              ...(!log?.checkpoint ? [] : [[audit.anchors, anchorsInWords(log.anchors)]]),
              [audit.witnesses, data.witnesses.join(', ') || audit.noWitness],
              [audit.witnessLag, data.lag === undefined ? '—' : audit.lag(data.lag)],
            ].map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <details>
            <summary>{audit.keepCheckpoint}</summary>
            <pre className="note" tabIndex={0}>
              {data.note}
            </pre>
          </details>
        </>
      )}
    </Panel>
  );
}

function anchorsInWords(anchors: PlatformHealthView['audit']['anchors']): string {
  return anchors.map(({ name }) => name).join(', ') || health.noAnchor;
}

async function readCheckpoints(signal: AbortSignal) {
  const [note, cosignedNote, keyLines] = await Promise.all([
    callEndpoint(readAuditCheckpointEndpoint, { signal }),
    callEndpoint(readAuditCheckpointEndpoint, { query: { cosigned: 'true' }, signal }),
    callEndpoint(listAuditKeysEndpoint, { query: { validity: 'true' }, signal }),
  ]);
  const checkpoint = parseCheckpoint(note);
  const cosigned = parseCheckpoint(cosignedNote);
  if (checkpoint === undefined || cosigned === undefined) throw new Error(audit.proofUnreadable);
  if (!isSecureContext) throw new Error(audit.needsHttps);
  const witnesses = cosignersOf(cosigned);
  return {
    note,
    origin: checkpoint.origin,
    size: checkpoint.size,
    signer: await signerOf(checkpoint, validityOf(keyLines)),
    witnesses,
    lag: witnesses.length === 0 ? undefined : Math.max(0, checkpoint.size - cosigned.size),
  };
}

/** Lines of a key, and the first and the last size that it signs, `-` for none. */
function validityOf(lines: string): KeyValidity[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [key = '', from = '', to = ''] = line.split(' ');
      return { key, from: Number(from), to: to === '-' ? null : Number(to) };
    });
}
