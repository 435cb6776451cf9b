import { readFile } from 'node:fs/promises';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { accessToken, type Credentials } from '@waybill/platform-client/credentials/credentials';
import { managerLogin } from '@waybill/platform-client/credentials/manager-login';
import { openLoginSession, partnerLogin } from '@waybill/platform-client/credentials/partner-login';
import { PlatformError } from '@waybill/platform-client/platform-error';
import { type Invocation, UsageError } from '../command.ts';
import { type Context, type ContextStore, openContextStore, type Side } from './contexts.ts';
import { createClient } from './create-client.ts';
import { textOption } from './option-values.ts';

/** The heading of these options in the help. */
export const platformHeading = 'The platform, unless it is that of WAYBILL_URL or the current login:';

const heading = platformHeading;

/** The options of commands that use a running platform. */
export const platformOptions = {
  url: {
    ...textOption('platform', 'The address of the platform, with an access token of --token or WAYBILL_TOKEN.'),
    heading,
  },
  token: { ...textOption('file', 'A file with the access token for --url.'), heading },
  context: { ...textOption('name', 'The platform and the user of another `waybill login`.'), heading },
  ca: { ...textOption('file', 'A certificate in PEM that is trusted besides the usual authorities.'), heading },
} as const;

/** What determines the platform of a command. */
export type PlatformChoice = Pick<Invocation, 'values' | 'env'>;

/** Which side of the platform, and how long to wait for its answers. */
export interface PlatformUse {
  readonly side: Side;
  readonly timeoutMs?: number;
}

/**
 * A client of the platform that the command names: by `--url`, by `--context`, by `WAYBILL_URL`, or the current context.
 * Dispose of it. @throws UsageError if there is none, in a sentence that says what to do
 */
export async function openPlatform(choice: PlatformChoice, use: PlatformUse): Promise<PlatformClient> {
  const { values } = choice;
  const url = givenUrl(choice);
  const timeout = use.timeoutMs === undefined ? {} : { timeoutMs: use.timeoutMs };
  if (url !== undefined) {
    const credentials = use.side === 'manager' ? accessToken(await readToken(choice)) : partnerOf(choice);
    return createClient({ url, credentials, ca: await readAuthority(choice), ...timeout });
  }
  const store = openContextStore(choice);
  const { name, context } = await chooseContext(store, textOf(values['context']), use.side);
  const ca = (await readAuthority(choice)) ?? context.ca;
  return createClient({ url: context.url, credentials: credentialsOf(store, name, context, choice), ca, ...timeout });
}

/** The address of `--url`, or of `WAYBILL_URL`, unless `--context` names a platform. */
export function givenUrl({ values, env }: PlatformChoice): string | undefined {
  return textOf(values['url']) ?? (values['context'] === undefined ? env['WAYBILL_URL'] || undefined : undefined);
}

/** The certificates of `--ca` or `WAYBILL_CA`, a file in PEM. */
export async function readAuthority({ values, env }: PlatformChoice): Promise<string | undefined> {
  const file = textOf(values['ca']) ?? (env['WAYBILL_CA'] || undefined);
  if (file === undefined) return undefined;
  const text = await readText(file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new UsageError(`${file} has no certificate in PEM`);
}

/** The context of this name, or the current one of the side. */
export async function chooseContext(
  store: ContextStore,
  name: string | undefined,
  side: Side | undefined,
): Promise<{ readonly name: string; readonly context: Context }> {
  const { current, contexts } = await store.read();
  const chosen = name ?? (side === undefined ? (current.manager ?? current.partner) : current[side]);
  const context = chosen !== undefined && Object.hasOwn(contexts, chosen) ? contexts[chosen] : undefined;
  if (chosen !== undefined && context && (side === undefined || context.side === side))
    return { name: chosen, context };
  if (name !== undefined && context) {
    const other = side === 'partner' ? 'a manager user, and files are those of partners' : 'a partner, for files only';
    throw new UsageError(`the context ${name} is that of ${other}`);
  }
  if (name !== undefined) throw new UsageError(`there is no context ${name}; \`waybill context list\` lists them`);
  const login = `waybill login --url <platform> --user <name>${side === 'partner' ? ' --partner' : ''}`;
  throw new UsageError(
    `log in first: \`${login}\`, or give --url and ${side === 'partner' ? 'WAYBILL_USER' : '--token'}`,
  );
}

function credentialsOf(store: ContextStore, name: string, context: Context, { env }: PlatformChoice): Credentials {
  if (context.side === 'partner') {
    return partnerLogin({
      cookie: context.cookie,
      logInAgain: async (call) => {
        const password = env['WAYBILL_PASSWORD'];
        if (!password)
          throw new PlatformError(`the login of ${name} has ended`, { code: 'not_authenticated', status: 401 });
        const cookie = await openLoginSession(call, context.user, password);
        await store.update(async ({ contexts }) => {
          contexts[name] = { ...context, cookie };
        });
        return cookie;
      },
    });
  }
  return managerLogin({
    read: async () => {
      const { context: now } = await chooseContext(store, name, 'manager');
      return now.side === 'manager' ? now.tokens : undefined;
    },
    replace: async (exchange) =>
      store.update(async ({ contexts }) => {
        const now = contexts[name];
        const tokens = await exchange(now?.side === 'manager' ? now.tokens : undefined);
        if (now?.side === 'manager') contexts[name] = { ...now, tokens };
        return tokens;
      }),
  });
}

async function readToken({ values, env }: PlatformChoice): Promise<string> {
  const file = textOf(values['token']);
  // What is no file may be the token itself, which no output is to have.
  const shown = 'the file that --token names (the token itself is no argument)';
  const token = file === undefined ? env['WAYBILL_TOKEN'] : await readText(file, shown);
  if (token?.trim()) return token.trim();
  throw new UsageError('give --token <file with an access token>, or WAYBILL_TOKEN');
}

function partnerOf({ env }: PlatformChoice): Credentials {
  const { WAYBILL_USER: user, WAYBILL_PASSWORD: password } = env;
  if (!user || !password) throw new UsageError('give the partner in WAYBILL_USER and WAYBILL_PASSWORD, or log in');
  return partnerLogin({ logInAgain: (call) => openLoginSession(call, user, password) });
}

async function readText(file: string, shown = file): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${shown} cannot be read`, { cause });
  }
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
