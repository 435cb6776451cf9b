import { piecesInTime, type TimeLimit } from '../../page-kit/time-limit.ts';

/** A server-sent event (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/**
 * Reads the events of a response, until it ends, or is silent until the limit is up. `EventSource` cannot send an access token.
 */
export async function* readEvents(response: Response, limit: Pick<TimeLimit, 'restart'>): AsyncGenerator<ServerEvent> {
  let rest = '';
  for await (const piece of piecesInTime(response, limit)) {
    const blocks = (rest + piece).split(/\r?\n\r?\n/u);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) yield event;
    }
  }
}

/** The event of some lines; undefined for a comment. */
function eventOf(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/u)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/su.exec(line) ?? [];
    fields.set(name, fields.has(name) && name === 'data' ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get('data');
  return data === undefined ? undefined : { event: fields.get('event') ?? 'message', data, id: fields.get('id') };
}
