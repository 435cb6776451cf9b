import { followServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/follow-server-sessions';
import { liveSessionSchema } from '@waybill/contracts/endpoints/server-sessions/live-session';
import { followEvents } from '@waybill/platform-client/events/follow-events';
import { z } from 'zod';
import type { Command } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { sizeText } from '../../platform/progress-bar.ts';
import { printable } from '../../platform/render-table.ts';

type LiveSession = z.infer<typeof liveSessionSchema>;

const options = { ...platformOptions, json: jsonOption };
/** Ids have 128 characters: tables show the beginning, and commands take it. */
const shownOfId = 12;

/** Prints what happens to sessions. */
export const watchSessionsCommand: Command = {
  summary: 'Prints each SFTP session that opens, changes or ends, until it is interrupted.',
  examples: ['waybill sessions watch'],
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
