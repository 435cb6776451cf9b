import { followEvents } from '@waybill/client/events/follow-events';
import { followServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/follow-server-sessions';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import { liveSessionSchema } from '@waybill/contracts/endpoints/server-sessions/live-session';
import { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import { z } from 'zod';
import { type Command, CommandFailed, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { countOf, flagOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { sizeText } from '../../platform/progress-bar.ts';
import { printable } from '../../platform/render-table.ts';

type LiveSession = z.infer<typeof liveSessionSchema>;

const options = { ...platformOptions, json: flagOption };
/** Ids have 128 characters: tables show the beginning, and commands take it. */
const shownOfId = 12;
const most = 100_000;

/** Lists open sessions. */
export const listSessionsCommand: Command = {
  summary: 'Lists the open SFTP sessions with what they transfer, oldest first.',
  usage: '[--user <name>] [--limit <number>] [--json]',
  examples: ['waybill sessions list', 'waybill sessions list --user acme --json'],
  positionals: [],
  options: { ...options, user: textOption, limit: textOption },
  run: async (invocation) => {
    const { user } = invocation.values;
    const query = {
      maxItem: countOf(invocation.values, 'limit', 1_000),
      ...(typeof user === 'string' && { userName: user }),
    };
    await using client = await openPlatform(invocation, { side: 'manager' });
    printRows(invocation, (await client.call(listServerSessionsEndpoint, { query })).body.sessions, [
      ['SESSION', ({ sessionId }) => sessionId.slice(0, shownOfId)],
      ['USER', ({ userName }) => userName],
      ['FROM', ({ clientIp }) => clientIp],
      ['PEER', ({ peerName }) => peerName],
      ['SINCE', ({ openedAt }) => openedAt],
      ['RATE', ({ bytesPerSecond }) => `${sizeText(bytesPerSecond)}/s`],
      ['FILE', ({ file, direction }) => (file === null ? '' : `${direction ?? ''} ${file}`)],
    ]);
  },
};

/** Prints what happens to sessions. */
export const watchSessionsCommand: Command = {
  summary: 'Prints each session that opens, changes or ends, until it is interrupted.',
  usage: '[--json]',
  examples: ['waybill sessions watch'],
  positionals: [],
  options,
  run: async (invocation) => {
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'manager' });
    for await (const { event, data } of followEvents(client, followServerSessionsEndpoint, {}, { signal })) {
      const content: unknown = JSON.parse(data);
      if (invocation.values['json'] === true) invocation.out(JSON.stringify({ event, data: content }));
      else for (const line of describeEvent(event, content)) invocation.out(printable(line));
    }
    signal?.throwIfAborted();
  },
};

function describeEvent(event: string, content: unknown): string[] {
  const whole = z.object({ sessions: z.array(liveSessionSchema) }).safeParse(content);
  if (whole.success) return whole.data.sessions.map((session) => describeSession('open', session));
  const session = liveSessionSchema.safeParse(content);
  if (session.success) return [describeSession(event, session.data)];
  const ended = z.object({ sessionId: z.string() }).safeParse(content);
  return ended.success ? [`${event}  ${ended.data.sessionId.slice(0, shownOfId)}`] : [];
}

function describeSession(event: string, session: LiveSession): string {
  const { sessionId, userName, clientIp, bytesPerSecond, file, direction } = session;
  const transfer = file === null ? '' : `  ${direction ?? ''} ${file} at ${sizeText(bytesPerSecond)}/s`;
  return `${event}  ${sessionId.slice(0, shownOfId)}  ${userName}  ${clientIp}${transfer}`;
}

/** Ends a session. */
export const killSessionCommand: Command = {
  summary: 'Disconnects a session, which is named by the beginning of its id.',
  usage: '<session> [--json]',
  examples: ['waybill sessions kill B536CBB1D9D0'],
  positionals: ['session'],
  options,
  run: async (invocation) => {
    const [beginning = ''] = invocation.positionals;
    if (!/^[\dA-F]{6,128}$/iu.test(beginning))
      throw new UsageError('give at least 6 characters of the id of a session');
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { sessions } = (await client.call(listServerSessionsEndpoint, { query: { maxItem: most } })).body;
    const found = sessions.filter(({ sessionId }) => sessionId.startsWith(beginning.toUpperCase()));
    const [session] = found;
    if (!session)
      throw new CommandFailed(`there is no open session ${beginning}; \`waybill sessions list\` lists them`);
    if (found.length > 1)
      throw new CommandFailed(`${found.length} sessions begin with ${beginning}: give more of the id`);
    const { clusterName, peerName, serverName, sessionId } = session;
    const body = { clusterName, peerName, serverName, protocol: 'SFTP', sessionId } as const;
    const ended = await client.call(terminateServerSessionEndpoint, { body });
    printOne(invocation, ended.body, [`the session of ${printable(session.userName)} was ended`]);
  },
};
