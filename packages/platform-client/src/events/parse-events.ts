/** A server-sent event. */
export interface ServerEvent {
  /** The name of the event; `message` without one. */
  readonly event: string;
  readonly data: string;
  /** The last id that the stream has had. */
  readonly id: string | undefined;
}

/** The longest line and the longest event that are accepted, in characters. */
const longest = 16 * 1_024 * 1_024;

/** The events of a stream (WHATWG HTML, section 9.2.6). An event that the end of the stream cuts off is dropped. */
export async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let [event, data, id]: [string, string[], string | undefined] = ['', [], undefined];
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id };
      [event, data] = ['', []];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A final CR may be the first half of CR LF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/u);
    rest = lines.pop() ?? '';
    if (rest.length > longest) throw new RangeError('a line of the event stream is too long');
    yield* lines;
  }
}
