import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { Interrupted } from '../command.ts';

/** Asks for a line that is not shown. @throws Interrupted after Ctrl-C, Ctrl-D or the end of the input */
export async function askSecretly(
  question: string,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<string> {
  output.write(question);
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: muted, terminal: true });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    return await lines.question('', { signal: ended.signal });
  } catch (cause) {
    throw new Interrupted('ended at a question', { cause });
  } finally {
    lines.close();
    output.write('\n');
  }
}
