/** A server-sent event (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** The server sends a comment every 15 seconds: a stream that is silent for longer has lost its server. */
const silentAtMostMs = 40_000;

/** Reads the events of a response, until it ends or has lost its server. `EventSource` cannot send an access token. */
export async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const chunk = await readInTime(reader);
      if (chunk === undefined || chunk.done) return;
      const blocks = (rest + chunk.value).split(/\r?\n\r?\n/u);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undefined if nothing arrives for too long. */
async function readInTime(
  reader: ReadableStreamDefaultReader<string>,
): Promise<ReadableStreamReadResult<string> | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), silentAtMostMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
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
