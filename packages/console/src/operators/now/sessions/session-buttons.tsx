import { useQueryClient } from '@tanstack/react-query';
import type { liveSessionSchema } from '@waybill/contracts/endpoints/server-sessions/live-session';
import { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import type { z } from 'zod';
import { Facts } from '../../../page-kit/components/facts.tsx';
import { formatExactTime, formatTime } from '../../../page-kit/format/format-time.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { texts } from '../../texts/texts.ts';

const { now } = texts;

/** An open session. */
export type LiveSession = z.infer<typeof liveSessionSchema>;

/** Ends a session. */
export function TerminateButton({ session }: { readonly session: LiveSession }) {
  const client = useQueryClient();
  const { clusterName, peerName, serverName, sessionId, userName, clientIp, openedAt } = session;
  const [address, since] = [clientIp.replace(/^\//u, ''), formatTime(openedAt)];
  const terminate = async (): Promise<void> => {
    const body = { clusterName, peerName, serverName, protocol: 'SFTP' as const, sessionId };
    await callEndpoint(terminateServerSessionEndpoint, { body });
    await client.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (
    <ConfirmButton
      label={now.terminate}
      name={now.terminateSession(userName, address, formatExactTime(openedAt))}
      title={now.terminateTitle(userName)}
      isDangerous
      outdated={now.sessionEnded}
      act={terminate}
    >
      <Facts
        facts={[
          [now.address, address],
          [now.since, since],
          [now.server, `${serverName}, ${peerName}`],
        ]}
      />
      <p>{now.terminateEffect}</p>
    </ConfirmButton>
  );
}
