import type { Command, CommandOption } from '@waybill/cli/command';
import { inSections, sections } from '@waybill/cli/command-line/command-sections';
import { commands } from '@waybill/cli/commands';
import { platformOptions } from '@waybill/cli/platform/open-platform';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

/** `docs/command-reference.md`: every command of `waybill`, with its arguments and options, from the table that its help is from. */
export function renderCommandReferencePage(): GeneratedPage {
  const ordered = inSections<Command>(Object.entries(commands), sections);
  const described = ordered.map(([name, command]) => renderCommand(name, command));
  const text = `# Commands of waybill

What \`waybill help <command>\` shows of every command. [The command line](command-line.md) explains them in their context.

${[renderContents(ordered.map(([name]) => name)), renderPlatform(), ...described].join('\n\n')}
`;
  return { path: 'docs/command-reference.md', text };
}

/** The headings of the help, each with the commands under it: those of a group in one line. */
function renderContents(names: readonly string[]): string {
  return Object.entries(sections)
    .map(([heading, words]) => {
      const lines = words.map((first) => {
        const links = names
          .filter((name) => name.split(' ', 1)[0] === first)
          .map((name) => `[${name}](#waybill-${name.replaceAll(' ', '-')})`);
        return `- ${links.join(', ')}`;
      });
      return [heading, lines.join('\n')].join('\n\n');
    })
    .join('\n\n');
}

function renderPlatform(): string {
  const rows = Object.entries(platformOptions).map(([name, option]) => rowOf(name, option));
  return `## The platform

Commands that use a running platform take these options as well:

${markdownTable(['Option', 'Meaning'], rows).trimEnd()}`;
}

function renderCommand(name: string, command: Command): string {
  const { summary, arguments: required = {}, optionalArguments = {}, options = {}, words = {}, examples } = command;
  const own = Object.entries(options).filter(([option, about]) => !isOfPlatform(option, about));
  const needed = own
    .filter(([, { isRequired }]) => isRequired === true)
    .map(([option, about]) => flagsOf(option, about));
  const line = ['waybill', name, ...Object.keys(required).map((word) => `<${word}>`)];
  const optional = Object.keys(optionalArguments).map((word) => `[${word}]`);
  const rows = [
    ...Object.entries({ ...required, ...optionalArguments }).map(([word, explanation]) => [
      `\`${word}\``,
      inWords(explanation, { choices: words[word] }),
    ]),
    ...own.map(([option, about]) => rowOf(option, about)),
  ];
  const table = rows.length === 0 ? [] : [markdownTable(['Argument or option', 'Meaning'], rows).trimEnd()];
  const platform =
    own.length === Object.keys(options).length ? [] : ['It takes [the options of the platform](#the-platform).'];
  return [
    `## waybill ${name}`,
    `\`${[...line, ...optional, ...needed, ...(own.length > 0 ? ['[options]'] : [])].join(' ')}\``,
    proseOf(summary),
    ...table,
    ...platform,
    ['```sh', ...examples, '```'].join('\n'),
  ].join('\n\n');
}

function isOfPlatform(name: string, option: CommandOption): boolean {
  return Object.entries(platformOptions).some(
    ([known, about]) => known === name && about.explanation === option.explanation,
  );
}

function rowOf(name: string, option: CommandOption): string[] {
  return [`\`${flagsOf(name, option)}\``, inWords(option.explanation, option)];
}

function flagsOf(name: string, { value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

/** Markdown of a text in which code is between backticks: only there, brackets and asterisks stand for themselves. */
function proseOf(text: string): string {
  const parts = text.split('`');
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[<>*]/gu, String.raw`\$&`))).join('`');
}

function inWords(
  explanation: string,
  { choices, usual }: { readonly choices?: readonly string[] | undefined; readonly usual?: string },
): string {
  return [
    proseOf(explanation),
    ...(choices ? [`One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.`] : []),
    ...(usual === undefined ? [] : [`Default: \`${usual}\`.`]),
  ].join(' ');
}
