import type { Surroundings, Terminal } from '../command.ts';
import { askSecretly } from './ask-secretly.ts';

/** The surroundings of this process. */
export function processSurroundings(): Surroundings {
  const interruption = new AbortController();
  let isHandled = false;
  // A reader that stops reading, as in `waybill jobs list | head -1`, does not interrupt a command; one that waits ends.
  const stopReading = (): void => interruption.abort('unread');
  return {
    env: process.env,
    input: process.stdin.isTTY ? undefined : process.stdin,
    out: lineWriter(process.stdout, stopReading),
    err: lineWriter(process.stderr, () => undefined),
    output: process.stdout,
    terminal: process.stderr.isTTY ? processTerminal() : undefined,
    interruption: () => {
      if (!isHandled) {
        isHandled = true;
        // Once: a second signal ends the process.
        for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort(name));
      }
      return interruption.signal;
    },
  };
}

function lineWriter(stream: NodeJS.WriteStream, stopReading: () => void): (line: string) => void {
  let isRead = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isRead = false;
    stopReading();
  });
  return (line) => {
    if (isRead) stream.write(`${line}\n`);
  };
}

function processTerminal(): Terminal {
  return {
    columns: () => process.stderr.columns,
    showStatus: (text) => process.stderr.write(`\r${text}\u001B[K`),
    askSecretly: async (question) =>
      process.stdin.isTTY ? await askSecretly(question, { input: process.stdin, output: process.stderr }) : '',
  };
}
