import {
  endHttpSessionEndpoint,
  type HttpSessionView,
  listHttpSessionsEndpoint,
} from '@waybill/contracts/endpoints/server-sessions/http-session-endpoints';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import type { liveSessionSchema } from '@waybill/contracts/endpoints/server-sessions/live-session';
import { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import { type Protocol, protocolSchema } from '@waybill/contracts/values/protocol';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import type { z } from 'zod';
import { type Command, CommandFailed, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, countOf, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { sizeText } from '../../platform/progress-bar.ts';
import { printable } from '../../platform/render-table.ts';

type Session =
  | (z.infer<typeof liveSessionSchema> & { readonly protocol: 'SFTP' })
  | (HttpSessionView & { readonly protocol: 'HTTP' });

const options = { ...platformOptions, json: jsonOption };
/** Ids over SFTP have 128 characters: tables show the beginning, and commands take it. */
const shownOfId = 13;
const most = 100_000;

/** Lists open sessions. */
export const listSessionsCommand: Command = {
  summary: 'Lists the open sessions over SFTP, with what they transfer, and over HTTP, oldest first.',
  examples: ['waybill sessions list', 'waybill sessions list --user acme --json'],
  options: {
    ...options,
    user: textOption('name', 'Only sessions of this user.'),
    protocol: choiceOption('protocol', protocolSchema.options, 'Only sessions over this protocol.'),
    limit: { ...textOption('number', 'How many are listed at most.'), usual: '1000' },
  },
  run: async (invocation) => {
    const { user } = invocation.values;
    const wanted = choiceOf(invocation.values, 'protocol', protocolSchema.options);
    const limit = countOf(invocation.values, 'limit');
    await using client = await openPlatform(invocation, { side: 'manager' });
    const query = { maxItem: limit, ...(typeof user === 'string' && { userName: user }) };
    const sessions = await readSessions(client, query, wanted);
    const oldest = sessions.toSorted((one, other) => Date.parse(one.openedAt) - Date.parse(other.openedAt));
    printRows(invocation, oldest.slice(0, limit), [
      ['SESSION', ({ sessionId }) => sessionId.slice(0, shownOfId)],
      ['PROTOCOL', ({ protocol: shown }) => shown],
      ['USER', ({ userName }) => userName],
      ['FROM', fromOf],
      ['PEER', ({ peerName }) => peerName],
      ['SINCE', ({ openedAt }) => openedAt],
      ['RATE', (session) => (session.protocol === 'SFTP' ? `${sizeText(session.bytesPerSecond)}/s` : '')],
      ['FILE', fileOf],
    ]);
  },
};

function fromOf(session: Session): string {
  return session.protocol === 'SFTP' ? session.clientIp : (session.address ?? 'unknown');
}

function fileOf(session: Session): string {
  if (session.protocol === 'HTTP' || session.file === null) return '';
  return `${session.direction ?? ''} ${session.file}`;
}

async function readSessions(
  client: PlatformClient,
  query: { readonly maxItem: number; readonly userName?: string },
  protocol?: Protocol,
): Promise<Session[]> {
  const overSftp = protocol === 'HTTP' ? [] : (await client.call(listServerSessionsEndpoint, { query })).body.sessions;
  const overHttp = protocol === 'SFTP' ? [] : (await client.call(listHttpSessionsEndpoint, { query })).body.sessions;
  return [
    ...overSftp.map((session) => ({ ...session, protocol: 'SFTP' as const })),
    ...overHttp.map((session) => ({ ...session, protocol: 'HTTP' as const })),
  ];
}

/** Ends a session. */
export const killSessionCommand: Command = {
  summary: 'Ends a session over SFTP or HTTP, which is named by the beginning of its id.',
  examples: ['waybill sessions kill B536CBB1D9D0', 'waybill sessions kill 0195a1c2-7b1e'],
  arguments: { session: 'The beginning of its id, at least 6 characters.' },
  options,
  run: async (invocation) => {
    const [beginning = ''] = invocation.positionals;
    if (!/^[\dA-F-]{6,128}$/iu.test(beginning))
      throw new UsageError('give at least 6 characters of the id of a session');
    await using client = await openPlatform(invocation, { side: 'manager' });
    const sessions = await readSessions(client, { maxItem: most });
    const found = sessions.filter(({ sessionId }) => sessionId.toUpperCase().startsWith(beginning.toUpperCase()));
    const [session] = found;
    if (!session)
      throw new CommandFailed(`there is no open session ${beginning}; \`waybill sessions list\` lists them`);
    if (found.length > 1)
      throw new CommandFailed(`${found.length} sessions begin with ${beginning}: give more of the id`);
    const ended = await endSession(client, session);
    printOne(invocation, ended, [`the session of ${printable(session.userName)} was ended`]);
  },
};

async function endSession(client: PlatformClient, session: Session) {
  const { peerName, serverName, sessionId } = session;
  if (session.protocol === 'HTTP') return (await client.call(endHttpSessionEndpoint, { params: { sessionId } })).body;
  const body = { clusterName: session.clusterName, peerName, serverName, protocol: 'SFTP', sessionId } as const;
  return (await client.call(terminateServerSessionEndpoint, { body })).body;
}
