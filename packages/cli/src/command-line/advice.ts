import { shellWord } from '@waybill/contracts/endpoints/access/first-password-command';
import type { PlatformError } from '@waybill/platform-client/platform-error';
import type { CommandTable, Surroundings } from '../command.ts';
import { openContextStore } from '../platform/contexts.ts';
import { chooseContext } from '../platform/open-platform.ts';
import { printable } from '../platform/render-table.ts';

/** The command that has failed. */
export interface AdvisedCommand {
  /** `waybill jobs abort`. */
  readonly who: string;
  /** Its arguments, after the names of the command. */
  readonly words: readonly string[];
  readonly commands: CommandTable;
  readonly env: Surroundings['env'];
}

/** What to do about an error of the platform, in the words of the command line. */
export async function adviceFor(error: PlatformError, command: AdvisedCommand): Promise<string> {
  const { code, remedy } = error;
  if (code === 'certificate_not_trusted')
    return "Give the certificate of the installation's authority with --ca <file> or WAYBILL_CA.";
  if (['not_authenticated', 'refresh_token_invalid'].includes(code)) return await loginAdvice(command);
  if (code === 'password_change_required') return passwordAdvice;
  if (code === 'entity_unknown' && namesNoActor(command))
    return 'Each actor has Connection Contracts of its own: name it with --actor. `waybill objects list connection-contracts` shows all.';
  return `${inWordsForPeople(remedy)}${listingFor(remedy, command)}`;
}

/** Remedies are written for programs, too, and name parts of answers, which people do not see. */
const partsOfAnswers: readonly (readonly [RegExp, string])[] = [
  [/^As `detail` says/u, 'As is said above'],
  [/(?:the fields that|what) `errors` names/u, 'what is listed above'],
  [/: `detail` says what is wrong with this one/u, ': what is wrong with this one is said above'],
  [/what `detail` names/u, 'what is said above'],
  [/that `detail` names/u, 'that are named above'],
  [/unless `detail` says/u, 'unless the sentence above says'],
];

/** What the API does at an address, the command line does with a command. */
const commandsOfAddresses: readonly (readonly [RegExp, string])[] = [
  [/\bauth\/password\b/u, '`waybill password`'],
  [/\bauth\/second-factor\/remove\b/u, '`waybill second-factor disable`'],
];

/** A remedy without the names of parts of answers. */
export function inWordsForPeople(remedy: string): string {
  return partsOfAnswers.reduce((text, [pattern, words]) => text.replace(pattern, words), remedy);
}

/** An error of the API with commands instead of addresses. */
export function inWordsOfCommands(message: string): string {
  return commandsOfAddresses.reduce((text, [pattern, words]) => text.replace(pattern, words), message);
}

/** The command that logs in again, with the address and the user of the context that was used. */
async function loginAdvice({ who, words, env }: AdvisedCommand): Promise<string> {
  const side = who.startsWith('waybill files ') ? 'partner' : 'manager';
  const named = valueOf(words, 'context');
  if (valueOf(words, 'url') !== undefined || (named === undefined && env['WAYBILL_URL'])) {
    return side === 'partner'
      ? 'Correct WAYBILL_USER and WAYBILL_PASSWORD.'
      : 'Give another access token or API key with --token <file> or WAYBILL_TOKEN.';
  }
  try {
    const { name, context } = await chooseContext(openContextStore({ env }), named, side);
    const isUsual = name === `${context.user}@${new URL(context.url).host}`;
    const place = ['--url', context.url, '--user', context.user, ...(isUsual ? [] : ['--context', name])];
    const line = ['waybill login', ...place.map(shellWord), ...(side === 'partner' ? ['--partner'] : [])];
    return `Log in again: \`${printable(line.join(' '))}\`.`;
  } catch {
    return `Log in again: \`waybill login --url <platform> --user <name>${side === 'partner' ? ' --partner' : ''}\`.`;
  }
}

function valueOf(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(`--${option}`);
  const joined = words.find((word) => word.startsWith(`--${option}=`));
  return at === -1 ? joined?.slice(option.length + 3) : words[at + 1];
}

/** Whether an object was named without its actor, though names are unique in the actor only. */
function namesNoActor({ who, words }: AdvisedCommand): boolean {
  const isObject = who.startsWith('waybill objects ') && words.includes('connection-contracts');
  return isObject && valueOf(words, 'actor') === undefined;
}

/** The command that lists what a remedy says to list, if the group of the command has one. */
function listingFor(remedy: string, { who, commands }: AdvisedCommand): string {
  const [, group = ''] = who.split(' ');
  const name = `${group} list`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || !remedy.startsWith('List ')) return '';
  return ` \`waybill ${[name, ...Object.keys(command.arguments ?? {}).map((each) => `<${each}>`)].join(' ')}\` shows them.`;
}

const passwordAdvice =
  'Change it: `waybill password --url <platform> --user <name>`, for a partner with --partner. Then log in again.';
