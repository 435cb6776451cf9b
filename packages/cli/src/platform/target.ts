import { type Invocation, UsageError } from '../command.ts';
import { type Context, openContextStore } from './contexts.ts';
import { chooseContext, givenUrl, type PlatformChoice } from './open-platform.ts';
import { printable } from './render-table.ts';

/** The address of the platform whose database `DATABASE_URL` is: `npm start` writes it beside that. */
export const platformOfDatabase = 'DATABASE_PLATFORM';

/** Says which platform a command is about, before it does anything. */
export async function announcePlatform(invocation: Invocation): Promise<void> {
  announce(invocation, await nameOfPlatform(invocation));
}

/** Writes the first line of a command for people, on standard error: output for scripts has no such line. */
export function announce({ values, err }: Invocation, target: string): void {
  if (values['json'] !== true) err(`Target: ${printable(target)}`);
}

/** The address of the platform that a command is about. */
export async function addressOfPlatform(choice: PlatformChoice): Promise<string> {
  return givenUrl(choice) ?? (await contextOf(choice)).url;
}

async function nameOfPlatform(choice: PlatformChoice): Promise<string> {
  const url = givenUrl(choice);
  if (url !== undefined) return url;
  const context = await contextOf(choice);
  return `${context.user}@${hostOf(context.url)}`;
}

async function contextOf(choice: PlatformChoice): Promise<Context> {
  const { context: named } = choice.values;
  const name = typeof named === 'string' ? named : undefined;
  return (await chooseContext(openContextStore(choice), name, 'manager')).context;
}

/**
 * Refuses to use the database of one platform while WAYBILL_URL or the login of a manager user names another one. Without
 * DATABASE_PLATFORM, it is not known whose database it is.
 * @throws UsageError that says how to go on
 */
export async function refuseOtherDatabase({ env }: Pick<Invocation, 'env'>): Promise<void> {
  const platform = env[platformOfDatabase];
  if (!platform) return;
  const url = env['WAYBILL_URL'];
  if (url) {
    if (isSamePlatform(url, platform)) return;
    throw new UsageError(
      `WAYBILL_URL is ${url}, but the environment has the database of ${platform}: name the platform with --url ${url}, or unset WAYBILL_URL to use the database`,
    );
  }
  if (!env['HOME'] && !env['XDG_CONFIG_HOME']) return;
  const { current, contexts } = await openContextStore({ env }).read();
  const name = current.manager;
  const context = name === undefined ? undefined : contexts[name];
  if (context?.side !== 'manager' || !context.tokens || isSamePlatform(context.url, platform)) return;
  throw new UsageError(
    `the current login is at ${context.url}, but the environment has the database of ${platform}: name the platform with --context ${name}, or log out with \`waybill logout --context ${name}\` to use the database`,
  );
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

function isSamePlatform(one: string, other: string): boolean {
  return hostOf(one, '127.0.0.1') === hostOf(other, '127.0.0.1');
}

/** The host and the port of an address. `loopback`: the one name for this machine. What is no address stays as it is. */
function hostOf(address: string, loopback?: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, hostname, port, host } = new URL(address);
  if (loopback === undefined) return host;
  const shownPort = port === '' ? { 'https:': '443', 'http:': '80' }[protocol] : port;
  return `${loopbackNames.has(hostname) ? loopback : hostname}:${shownPort}`;
}
