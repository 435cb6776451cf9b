import { CodedError } from '@waybill/contracts/errors/coded-error';
import { runCommandSpecification } from '@waybill/contracts/tasks/command-specifications';
import type { RunningCommand } from '../../domain/workflows/step-commands.ts';
import type { JobFiles } from '../../domain/workflows/task.ts';
import { bytesOf, textBytes } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';

/** Bytes of the standard output that become an output of the step. */
const textBytesAtMost = 65_536;
/** Characters of the standard error in the message of a step that fails. */
const shownAtMost = 500;

/** Runs a program that the settings allow. */
export const runCommandTask = defineTask({
  ...runCommandSpecification,
  run: async (parameters, { files, connections, signal, log }) => {
    const { command, output, mediaType, ifExists, successCodes } = parameters;
    const earlier = output === undefined ? undefined : await files.written(output);
    if (earlier) return { ...earlier, outputText: '', errorText: '' };
    const given = await openInput(parameters, files, signal);
    await using _input = given;
    const order = { command, arguments: parameters.arguments, input: given.bytes };
    await using running = await connections.runCommand(order, signal);
    const content = untilSuccess(running, command, successCodes);
    const overwrite = ifExists === 'replace';
    const written = output === undefined ? undefined : await files.write(output, content, mediaType, { overwrite });
    const outputText = written ? '' : await firstText(content);
    const { exitCode, errorText } = await running.ended;
    log(`${command} has ended with the exit code ${exitCode}`);
    return { ...written, exitCode, outputText, errorText: printable(errorText) };
  },
});

type Input = AsyncDisposable & { readonly bytes: AsyncIterable<Buffer> };

async function openInput(
  { input, inputText }: { input?: Parameters<JobFiles['open']>[0] | undefined; inputText?: string | undefined },
  files: JobFiles,
  signal: AbortSignal,
): Promise<Input> {
  if (input === undefined) return { bytes: textBytes(inputText ?? ''), [Symbol.asyncDispose]: () => Promise.resolve() };
  const file = await files.open(input);
  return { bytes: bytesOf(file, signal), [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

/** The output of a program, which fails at its end if the program has failed: then no file of it appears. */
async function* untilSuccess(
  running: RunningCommand,
  command: string,
  successCodes: readonly number[],
): AsyncGenerator<Buffer> {
  yield* running.output;
  const { exitCode, errorText } = await running.ended;
  if (successCodes.includes(exitCode)) return;
  const shown = printable(errorText).trim().slice(-shownAtMost);
  const detail = `${command} has ended with the exit code ${exitCode}${shown && `: ${shown}`}`;
  throw new CodedError('job_step_failed', { detail });
}

async function firstText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    if (size < textBytesAtMost) chunks.push(chunk);
    size += chunk.length;
  }
  return printable(Buffer.concat(chunks).subarray(0, textBytesAtMost).toString());
}

/** NUL cannot be stored. */
function printable(text: string): string {
  return text.replaceAll('\0', '\u{fffd}');
}
