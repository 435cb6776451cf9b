import { runCommandLine } from './run-command-line.ts';

// A reader that stops reading, as in `waybill signing-keys list | head -1`, does not interrupt a command.
function lineWriter(stream: NodeJS.WriteStream): (line: string) => void {
  let isRead = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isRead = false;
  });
  return (line) => {
    if (isRead) stream.write(`${line}\n`);
  };
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  input: process.stdin.isTTY ? undefined : process.stdin,
  out: lineWriter(process.stdout),
  err: lineWriter(process.stderr),
});
