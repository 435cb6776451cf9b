import { readFile } from 'node:fs/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { AllowedCommand, CommandConfig } from '../../domain/workflows/command-settings.ts';
import type { CommandOrder, RunningCommand, StepCommands } from '../../domain/workflows/step-commands.ts';
import { startProgram } from './command-process.ts';
import { takeUser } from './command-users.ts';
import { assertTrustedProgram } from './trusted-program.ts';

/** CAP_KILL, CAP_SETGID and CAP_SETUID. */
const neededCapabilities = (1n << 5n) | (1n << 6n) | (1n << 7n);

/** Runs the programs that the settings allow, each as a user of its own. */
export function createCommandRunner(config: CommandConfig | undefined): StepCommands['runCommand'] {
  const allowed = new Map(config?.RUN_COMMANDS.map((command) => [command.path, command]));
  return async (order, signal) => {
    const command = allowed.get(order.command);
    if (!command || !config) throw refused(`${order.command} is not in RUN_COMMANDS`);
    assertArguments(command, order);
    const users = config.RUN_COMMAND_USERS;
    const own = process.getuid?.() ?? 0;
    if (!users) throw refused('RUN_COMMAND_USERS is not set');
    if (own >= users.first && own <= users.last) throw refused('RUN_COMMAND_USERS contains the user of this process');
    await assertCapabilities();
    await assertTrustedProgram(command.path);
    const user = await takeUser(users, signal);
    try {
      const program = { path: command.path, arguments: [...command.fixed, ...order.arguments], input: order.input };
      return await startOwned(program, { config, signal, user });
    } catch (error) {
      await user[Symbol.asyncDispose]();
      throw error;
    }
  };
}

async function startOwned(
  program: Parameters<typeof startProgram>[0],
  parts: Parameters<typeof startProgram>[1],
): Promise<RunningCommand> {
  const running = await startProgram(program, parts);
  return {
    output: running.output,
    ended: running.ended,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      await parts.user[Symbol.asyncDispose]();
    },
  };
}

function assertArguments({ path, adds }: AllowedCommand, order: CommandOrder): void {
  if (order.arguments.length === 0 || adds === 'anything') return;
  if (adds === 'nothing') throw refused(`RUN_COMMANDS lets steps add no arguments to ${path}`);
  const option = order.arguments.find((argument) => argument.startsWith('-'));
  if (option === undefined) return;
  throw refused(`RUN_COMMANDS lets steps add no options to ${path}, such as ${JSON.stringify(option.slice(0, 100))}`);
}

/** Without them, `setpriv` would fail, or processes of the program could not be ended. */
async function assertCapabilities(): Promise<void> {
  const state = await readFile('/proc/self/status', 'latin1').catch(() => '');
  const effective = /^CapEff:\s+(?<bits>[\da-f]+)/mu.exec(state)?.groups?.['bits'] ?? '0';
  if ((BigInt(`0x${effective}`) & neededCapabilities) === neededCapabilities) return;
  throw refused('this process cannot change its user: it needs the capabilities SETUID, SETGID and KILL');
}

function refused(detail: string): CodedError {
  return new CodedError('command_refused', { detail });
}
