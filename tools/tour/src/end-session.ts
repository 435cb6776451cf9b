import { serverSessionSchema } from '@waybill/contracts/endpoints/server-sessions/server-session';
import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { waitFor } from '@waybill/test-kit/wait-for';
import { z } from 'zod';
import { expectStatus } from './expect-status.ts';
import type { Itinerary } from './itinerary.ts';
import type { AdminRequest } from './log-in-as-admin.ts';
import type { Narrator } from './narrator.ts';

const sessionsPath = '/platform-application/api/v1/infrastructure/clusters/server-sessions';

/** Who ends a session, and where it may be. */
export interface EndSessionOptions extends Pick<Itinerary, 'sftp' | 'peers' | 'passwords'> {
  admin: AdminRequest;
}

/** An open session is found, and ended from outside; with several replicas, through one that does not own it. */
export async function endSession(options: EndSessionOptions, narrator: Narrator): Promise<void> {
  const { admin, sftp, passwords } = options;
  const peers = await knownAmong(options.peers, admin);
  const earlier = await openSessions(admin, peers);
  const client = openSftpSession({ ...sftp, user: 'acme', password: passwords.acme.password });
  let hasEnded = false;
  void client.exited.then(() => (hasEnded = true));
  try {
    const session = await narrator.step(
      'The query shows an open SFTP session',
      () =>
        waitFor(async () => (await openSessions(admin, peers)).find((session) => !isAmong(earlier, session)), {
          what: 'the session to show',
        }),
      ({ userName, clientIp, clientVersion, peerName }) =>
        `${userName} from ${clientIp} with ${clientVersion} on ${peerName}`,
    );
    const through = peers.find((peer) => peer !== session.peerName);
    await narrator.step(
      'Ending it disconnects the client',
      async () => {
        await terminate(admin, session, through);
        // The client waits for input: it notices the end of its session at the next command.
        client.send('ls /outbox');
        return waitFor(() => hasEnded, { what: 'the client to be cut off' });
      },
      () => `${through === undefined ? '' : `asked through ${through}: `}its next command finds the connection closed`,
    );
  } finally {
    client.kill();
  }
}

async function terminate(admin: AdminRequest, session: SessionOnPeer, through: string | undefined): Promise<void> {
  const json = { ...serverOn(session.peerName), sessionId: session.sessionId };
  // deploy/haproxy/haproxy.cfg sends a request to the replica that is named here.
  const headers = through === undefined ? {} : { 'x-waybill-peer': through };
  const answer = expectStatus(await admin('DELETE', sessionsPath, { json, headers }), 200);
  const answeredBy = answer.headers.get('x-waybill-peer');
  if (through !== undefined && answeredBy !== through) throw new Error(`${answeredBy} answered instead of ${through}`);
}

type SessionOnPeer = z.infer<typeof serverSessionSchema> & { peerName: string };

function isAmong(sessions: readonly SessionOnPeer[], { sessionId }: SessionOnPeer): boolean {
  return sessions.some((session) => session.sessionId === sessionId);
}

async function openSessions(admin: AdminRequest, peers: readonly string[]): Promise<SessionOnPeer[]> {
  const perPeer = await Promise.all(
    peers.map(async (peerName) => {
      const answer = expectStatus(await admin('POST', `${sessionsPath}/query`, { json: serverOn(peerName) }), 200);
      return z
        .array(serverSessionSchema)
        .parse(answer.json())
        .map((session) => ({ ...session, peerName }));
    }),
  );
  return perPeer.flat();
}

/** A peer that does not exist in the platform is answered with 400. */
async function knownAmong(peers: readonly string[], admin: AdminRequest): Promise<string[]> {
  const answers = await Promise.all(
    peers.map((peerName) => admin('POST', `${sessionsPath}/query`, { json: serverOn(peerName) })),
  );
  return peers.filter((_, index) => answers[index]?.status !== 400);
}

function serverOn(peerName: string): Readonly<Record<string, string>> {
  return { clusterName: 'cluster1', peerName, protocol: 'SFTP', serverName: 'sftp-server' };
}
