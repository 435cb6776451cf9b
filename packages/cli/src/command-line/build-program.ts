import { Argument, Command as CommanderCommand, Option } from 'commander';
import {
  type Command,
  type CommandLineParts,
  type CommandOption,
  type Invocation,
  type Surroundings,
  UsageError,
} from '../command.ts';
import { inSections, sectionOf } from './command-sections.ts';

type Understood = Pick<Invocation, 'positionals' | 'values' | 'lists'>;

type BuiltParts = Pick<CommandLineParts, 'commands' | 'groups' | 'sections'> & { readonly words: readonly string[] };

/** A command, and what the arguments of a command line mean to it. */
export type RunCommand = (command: Command, understood: Understood) => Promise<void>;

/**
 * The command line as a program of commander for these words, whose commands call `run`. It throws CommanderError after errors and
 * helps.
 */
export function buildProgram(
  { commands, groups, sections, words }: BuiltParts,
  { out, terminal, output }: Pick<Surroundings, 'out' | 'terminal' | 'output'>,
  run: RunCommand,
): CommanderCommand {
  const columns = output?.isTTY === true ? terminal?.columns() : undefined;
  const program = new CommanderCommand('waybill')
    .description('The command line of Waybill. `waybill help <command>` explains a command, with examples.')
    .usage('<command>')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(columns ?? usualColumns, mostColumns),
    })
    .configureHelp({ subcommandTerm: (command) => [command.name(), ...argumentsOf(command)].join(' ') })
    .helpOption('-h, --help', 'Shows this help.')
    .helpCommand(false)
    .enablePositionalOptions()
    .option('--version', 'Shows the release of this program.');
  const parents = new Map<string, CommanderCommand>();
  for (const [name, command] of inSections(Object.entries(commands), sections)) {
    const [first = '', verb] = name.split(' ');
    const parent = verb === undefined ? program : (parents.get(first) ?? addGroup(program, first));
    if (verb !== undefined) parents.set(first, parent);
    const added = addCommand(parent, verb ?? first, command);
    (verb === undefined ? added : parent).helpGroup(sectionOf(name, sections) ?? 'Commands:');
    // Options take most of the time: others than those of the command are not asked for.
    if (words.includes(first)) addDetails(added, command, run);
  }
  for (const [name, group] of parents) {
    const verbs = group.commands.map((command) => command.name()).join(', ');
    group.description(groups[name] ?? '').summary(`${groups[name] ?? ''} Commands: ${verbs}.`);
  }
  addHelp(program);
  return program;
}

function addGroup(program: CommanderCommand, name: string): CommanderCommand {
  return program.command(name).usage('<command>').helpCommand('help [command]', 'Explains one of them.');
}

const [usualColumns, mostColumns] = [100, 140];

function argumentsOf({ registeredArguments }: CommanderCommand): string[] {
  return registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
}

function addCommand(parent: CommanderCommand, name: string, command: Command): CommanderCommand {
  const { summary } = command;
  const added = parent.command(name).description(summary).summary(firstSentenceOf(summary));
  for (const argument of argumentsIn(command)) added.addArgument(argument);
  return added;
}

function addDetails(added: CommanderCommand, command: Command, run: RunCommand): void {
  // Those with a heading of their own are last in the help.
  const ordered = Object.entries(command.options ?? {}).toSorted(
    ([, one], [, other]) => headingsOf(one) - headingsOf(other),
  );
  for (const [option, about] of ordered) added.addOption(createOption(option, about));
  const needed = added.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  added.usage([...argumentsOf(added), ...needed, '[options]'].join(' '));
  added.addHelpText('after', ['\nExamples:', ...command.examples.map((example) => `  ${example}`)].join('\n'));
  added.action(async () => await run(command, understood(added)));
}

function firstSentenceOf(text: string): string {
  return /^.*?[.](?= |$)/su.exec(text)?.[0] ?? text;
}

function headingsOf({ heading }: CommandOption): number {
  return heading === undefined ? 0 : 1;
}

function argumentsIn({ arguments: required = {}, optionalArguments = {}, words = {} }: Command): Argument[] {
  const create = (flags: string, name: string, explanation: string): Argument => {
    const argument = new Argument(flags, explanation);
    const choices = words[name];
    // Shown only: commands name the nearest word after a typing error.
    if (choices) argument.argChoices = [...choices];
    return argument;
  };
  return [
    ...Object.entries(required).map(([name, explanation]) => create(`<${name}>`, name, explanation)),
    ...Object.entries(optionalArguments).map(([name, explanation]) => create(`[${name}]`, name, explanation)),
  ];
}

function createOption(name: string, about: CommandOption): Option {
  const { explanation, value, choices, usual, isRequired = false, isRepeatable, heading } = about;
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, explanation);
  option.makeOptionMandatory(isRequired);
  if (usual !== undefined) option.default(usual);
  if (heading !== undefined) option.helpGroup(heading);
  if (choices) {
    const { parseArg } = option.choices(choices);
    option.argParser((given: string, previous: string) => {
      const same = choices.find((choice) => choice.toLowerCase() === given.toLowerCase());
      return parseArg?.(same ?? given, previous) ?? given;
    });
  }
  if (isRepeatable)
    option.argParser((given: string, previous: readonly string[] | undefined) => [...(previous ?? []), given]);
  return option;
}

/** What commander has understood, by the names of the table. */
function understood(command: CommanderCommand): Understood {
  const values: Record<string, string | boolean> = {};
  const lists: Record<string, readonly string[]> = {};
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (Array.isArray(value)) lists[option.name()] = value.map(String);
    else if (typeof value === 'string' || typeof value === 'boolean') values[option.name()] = value;
  }
  return { positionals: command.args, values, lists };
}

/** `waybill help jobs abort`: commander's own command for help has one level only. */
function addHelp(program: CommanderCommand): void {
  const help = program
    .command('help')
    .helpGroup('This program:')
    .description('Explains a command, or the commands of a group.');
  help.argument('[command...]', 'The words of the command, such as `jobs abort`.').action(async (topic: string[]) => {
    let found = program;
    for (const word of topic) {
      if (found.commands.length === 0) break;
      const next = found.commands.find((command) => command.name() === word);
      // What commander knows as unknown, it explains.
      if (!next) {
        await program.parseAsync(topic, { from: 'user' });
        return;
      }
      found = next;
    }
    found.outputHelp();
  });
}

/**
 * The value of an option must not be another option: then its value was forgotten. With `=` it may begin with a dash.
 * @throws UsageError
 */
export function refuseForgottenValues({ options = {} }: Command, args: readonly string[]): void {
  const end = args.indexOf('--');
  for (const [at, arg] of args.slice(0, end === -1 ? undefined : end).entries()) {
    const name = arg.slice(2);
    const next = args[at + 1];
    if (!arg.startsWith('--') || !Object.hasOwn(options, name) || options[name]?.value === undefined) continue;
    if (next !== undefined && next.length > 1 && next.startsWith('-'))
      throw new UsageError(`${arg} needs a value; write \`${arg}=${next}\` if it is ${next}`);
  }
}
