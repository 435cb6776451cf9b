import { followServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/follow-server-sessions';
import {
  type HttpSessionView,
  listHttpSessionsEndpoint,
} from '@waybill/contracts/endpoints/server-sessions/http-session-endpoints';
import { liveSessionSchema } from '@waybill/contracts/endpoints/server-sessions/live-session';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { followEvents } from '@waybill/platform-client/events/follow-events';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { isPassing, pause } from '@waybill/platform-client/requests/repetition';
import { z } from 'zod';
import type { Command, Invocation } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { sizeText } from '../../platform/progress-bar.ts';
import { printable } from '../../platform/render-table.ts';

type LiveSession = z.infer<typeof liveSessionSchema>;
type Printing = Pick<Invocation, 'values' | 'out'>;

const options = { ...platformOptions, json: jsonOption };
/** Ids over SFTP have 128 characters: tables show the beginning, and commands take it. */
const shownOfId = 13;
/** No events tell of sessions over HTTP: their list is read again. */
const everyMs = 2_000;
const most = 100_000;

/** Prints what happens to sessions. */
export const watchSessionsCommand: Command = {
  summary:
    'Prints each session that opens or ends over SFTP and HTTP, and what is transferred over SFTP, until it is interrupted. Sessions over HTTP are looked at every two seconds.',
  examples: ['waybill sessions watch'],
  options,
  run: async (invocation) => {
    const interruption = invocation.interruption?.();
    const failure = new AbortController();
    const signal = AbortSignal.any([failure.signal, ...(interruption ? [interruption] : [])]);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const watches = [watchSftp(client, invocation, signal), watchHttp(client, invocation, signal)];
    await Promise.all(watches.map((watch) => watch.finally(() => failure.abort())));
    interruption?.throwIfAborted();
  },
};

async function watchSftp(client: PlatformClient, printing: Printing, signal: AbortSignal): Promise<void> {
  for await (const { event, data } of followEvents(client, followServerSessionsEndpoint, {}, { signal })) {
    const content: unknown = JSON.parse(data);
    tell(printing, { event, protocol: 'SFTP', data: content }, describeEvent(event, content));
  }
}

/** The first list is a snapshot, as over SFTP. While the platform is away, what was open counts as open. */
async function watchHttp(client: PlatformClient, printing: Printing, signal: AbortSignal): Promise<void> {
  let known: ReadonlyMap<string, HttpSessionView> | undefined;
  while (!signal.aborted) {
    const sessions = await readHttpSessions(client, signal);
    if (sessions) {
      tellChanges(printing, known, sessions);
      known = new Map(sessions.map((session) => [session.sessionId, session]));
    }
    await pause(everyMs, signal).catch(() => undefined);
  }
}

/** @returns undefined if the platform does not answer just now, or `signal` is aborted */
async function readHttpSessions(client: PlatformClient, signal: AbortSignal): Promise<HttpSessionView[] | undefined> {
  try {
    return (await client.call(listHttpSessionsEndpoint, { query: { maxItem: most }, signal })).body.sessions;
  } catch (error) {
    if (signal.aborted || (isPlatformError(error) && isPassing(error))) return undefined;
    throw error;
  }
}

function tellChanges(
  printing: Printing,
  known: ReadonlyMap<string, HttpSessionView> | undefined,
  sessions: readonly HttpSessionView[],
): void {
  if (!known) {
    const lines = sessions.map((session) => describeHttp('open', session));
    return tell(printing, { event: 'snapshot', protocol: 'HTTP', data: { sessions } }, lines);
  }
  const present = new Set(sessions.map(({ sessionId }) => sessionId));
  for (const session of sessions) {
    if (known.has(session.sessionId)) continue;
    tell(printing, { event: 'opened', protocol: 'HTTP', data: session }, [describeHttp('opened', session)]);
  }
  for (const [sessionId, session] of known) {
    if (present.has(sessionId)) continue;
    tell(printing, { event: 'ended', protocol: 'HTTP', data: { sessionId } }, [describeHttp('ended', session)]);
  }
}

function tell(
  { values, out }: Printing,
  told: { readonly event: string; readonly protocol: Protocol; readonly data: unknown },
  lines: readonly string[],
): void {
  if (values['json'] === true) return out(JSON.stringify(told));
  for (const line of lines) out(printable(line));
}

function describeHttp(event: string, { sessionId, userName, address }: HttpSessionView): string {
  return `${event}  ${sessionId.slice(0, shownOfId)}  HTTP  ${userName}  ${address ?? 'unknown'}`;
}

function describeEvent(event: string, content: unknown): string[] {
  const whole = z.object({ sessions: z.array(liveSessionSchema) }).safeParse(content);
  if (whole.success) return whole.data.sessions.map((session) => describeSession('open', session));
  const session = liveSessionSchema.safeParse(content);
  if (session.success) return [describeSession(event, session.data)];
  const ended = z.object({ sessionId: z.string() }).safeParse(content);
  return ended.success ? [`${event}  ${ended.data.sessionId.slice(0, shownOfId)}  SFTP`] : [];
}

function describeSession(event: string, session: LiveSession): string {
  const { sessionId, userName, clientIp, bytesPerSecond, file, direction } = session;
  const transfer = file === null ? '' : `  ${direction ?? ''} ${file} at ${sizeText(bytesPerSecond)}/s`;
  return `${event}  ${sessionId.slice(0, shownOfId)}  SFTP  ${userName}  ${clientIp}${transfer}`;
}
