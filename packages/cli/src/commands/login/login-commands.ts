import { listLoginMethodsEndpoint } from '@waybill/contracts/endpoints/access/list-login-methods';
import { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import { setFirstPasswordEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import { closeLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/logins/close-login-session';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { type DeviceInvitation, logInOnDevice } from '@waybill/platform-client/credentials/device-login';
import { logIn } from '@waybill/platform-client/credentials/manager-login';
import { openLoginSession } from '@waybill/platform-client/credentials/partner-login';
import { isPlatformError, PlatformError } from '@waybill/platform-client/platform-error';
import { type Command, CommandFailed, type Invocation, UsageError } from '../../command.ts';
import { oneTimeCodeOption } from '../../platform/account.ts';
import { type Context, openContextStore, type Side } from '../../platform/contexts.ts';
import { createClient } from '../../platform/create-client.ts';
import { chooseContext, openPlatform, readAuthority } from '../../platform/open-platform.ts';
import { flagOption, jsonOption, textOption } from '../../platform/option-values.ts';
import { newPassword, openSecrets, readPassword } from '../../platform/passwords.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { changePassword } from './change-password.ts';
import { withOneTimeCode, withoutGivenCode } from './with-one-time-code.ts';

/** Logs in, and keeps the login as a context. */
export const loginCommand: Command = {
  summary:
    'Logs in and keeps the login as a context. The password is read from WAYBILL_PASSWORD, standard input or the terminal; with `--code` it is the first password of a new manager user. A user with a second factor is asked for a code, or gives `--one-time-code`; one who must change the password is asked for a new one at a terminal. With `--oidc` the user logs in with the issuer of the platform, in any browser.',
  examples: [
    'waybill login --url https://127.0.0.1:9443 --user admin --ca authority.pem',
    'waybill login --url https://files.example.org --user acme --partner < password.txt',
    'waybill login --url https://manager.example.org:9443 --oidc',
  ],
  options: {
    url: textOption('platform', 'The address of the platform; WAYBILL_URL if it is left out.'),
    user: textOption('name', 'The user; WAYBILL_USER if it is left out.'),
    partner: flagOption('Logs in as a partner, for files.'),
    context: textOption('name', 'The name under which the login is kept; user@host if it is left out.'),
    ca: textOption('file', 'A certificate in PEM that is trusted besides the usual authorities; it is kept.'),
    code: textOption('code', 'The one-time code of a new manager user; the password becomes the first one.'),
    'one-time-code': oneTimeCodeOption,
    oidc: flagOption('Logs in with the issuer of the platform, in any browser.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values, env } = invocation;
    const url = values['url'] ?? env['WAYBILL_URL'];
    const isOidc = values['oidc'] === true;
    if (isOidc && values['partner'] === true) throw new UsageError('--oidc is for manager users, not for --partner');
    const user = isOidc ? '' : (values['user'] ?? env['WAYBILL_USER']);
    if (typeof url !== 'string' || typeof user !== 'string') {
      throw new UsageError('give --url <platform>, and --user <name> or --oidc');
    }
    const ca = await readAuthority(invocation);
    await using client = createClient({ url, ca });
    const place = { url, user, ...(ca !== undefined && { ca }) };
    const context = isOidc
      ? await contextOfIssuer(client, place, invocation)
      : await contextOf(client, place, await readPassword(invocation, `Password of ${user}: `), invocation);
    const name = typeof values['context'] === 'string' ? values['context'] : `${context.user}@${new URL(url).host}`;
    const store = openContextStore(invocation);
    await store.update(async (all) => {
      all.contexts[name] = context;
      all.current[context.side] = name;
    });
    const { side, user: loggedIn } = context;
    printOne(invocation, { context: name, side, url, user: loggedIn, file: store.file }, [
      `Logged in as ${loggedIn}; the context ${name} is kept in ${store.file}`,
    ]);
  },
};

async function contextOfIssuer(
  { call }: PlatformClient,
  place: { readonly url: string },
  { values, out, err, interruption }: Invocation,
): Promise<Context> {
  const tell = values['json'] === true ? err : out;
  const invite = ({ userCode, verificationUri, verificationUriComplete }: DeviceInvitation): void => {
    tell(printable(`Log in at ${verificationUriComplete ?? verificationUri}`));
    tell(printable(`Check there that the code is ${userCode}`));
  };
  const { user, tokens } = await logInOnDevice(call, invite, interruption?.()).catch(async (error: unknown) => {
    throw (await isWithoutIssuer(call, error)) ? new CommandFailed(withoutIssuer, { cause: error }) : error;
  });
  return { side: 'manager', ...place, user, tokens };
}

const withoutIssuer =
  'this platform has no outside issuer: log in with --user, or have OIDC_ISSUER set at its job manager';

/** Whether the address of these logins is missing at what is a platform: an outside issuer is not configured there. */
async function isWithoutIssuer(call: PlatformClient['call'], error: unknown): Promise<boolean> {
  if (!isPlatformError(error, 'route_not_found')) return false;
  return await call(listLoginMethodsEndpoint).then(
    () => true,
    () => false,
  );
}

async function contextOf(
  client: PlatformClient,
  place: { readonly url: string; readonly user: string },
  password: string,
  invocation: Invocation,
): Promise<Context> {
  const { partner, code } = invocation.values;
  const { user } = place;
  if (partner === true) {
    const open = (present: string) => (oneTime?: string) => openLoginSession(client.call, user, present, oneTime);
    const cookie = await withPassword(open, { client, side: 'partner', user, password, invocation });
    return { side: 'partner', ...place, cookie };
  }
  if (typeof code === 'string') {
    await setFirstPassword(client, { username: user, code, newPassword: password });
  }
  const enter = (present: string) => (oneTime?: string) => logIn(client.call, user, present, oneTime);
  const tokens = await withPassword(enter, { client, side: 'manager', user, password, invocation });
  return { side: 'manager', ...place, tokens };
}

/** Sets a first password. @throws CodeRefused with a code that is not, or no longer, in force */
async function setFirstPassword(
  { call }: PlatformClient,
  body: { readonly username: string; readonly code: string; readonly newPassword: string },
): Promise<void> {
  try {
    await call(setFirstPasswordEndpoint, { body });
  } catch (error) {
    throw isPlatformError(error, 'invalid_credentials') ? new CodeRefused(body.username, error) : error;
  }
}

/** The platform says the same of a wrong user and a wrong code; what a code needs is no secret. */
class CodeRefused extends PlatformError {
  constructor(user: string, cause: PlatformError) {
    const { code, status, requestId } = cause;
    super(`the code is not in force for ${user}: it works once, until it expires or another one is issued`, {
      code,
      status,
      requestId,
      cause,
    });
  }

  override get remedy(): string {
    return 'If the password was set, log in without --code. Otherwise an administrator issues a code: `waybill managers first-password <name>`.';
  }
}

interface PasswordLogin {
  readonly client: PlatformClient;
  readonly side: Side;
  readonly user: string;
  readonly password: string;
  readonly invocation: Invocation;
}

/** Logs in with a password, and first changes one that must be changed, if there is a person to ask for the new one. */
async function withPassword<T>(
  enter: (password: string) => (code?: string) => Promise<T>,
  { client, side, user, password, invocation }: PasswordLogin,
): Promise<T> {
  try {
    return await withOneTimeCode(enter(password), invocation);
  } catch (error) {
    if (isPlatformError(error, 'second_factor_setup_required')) {
      const where = side === 'partner' ? 'at /ui' : 'with `waybill second-factor enable`';
      throw new UsageError(`the platform demands a second factor: set one up ${where}`, { cause: error });
    }
    if (!isPlatformError(error, 'password_change_required')) throw error;
    await using secrets = openSecrets(invocation);
    if (!secrets.isTyped) throw error;
    invocation.err(error.message);
    const chosen = await newPassword(secrets, user);
    const later = withoutGivenCode(invocation);
    await changePassword(client, { side, user, present: password, chosen }, later);
    return await withOneTimeCode(enter(chosen), later);
  }
}

/** Ends a login. */
export const logoutCommand: Command = {
  summary: 'Ends a login, at the platform and on this machine. The context stays, without its login.',
  examples: ['waybill logout', 'waybill logout --context acme@files.example.org'],
  options: { context: textOption('name', 'The context whose login ends; the current one if it is left out.') },
  run: async (invocation) => {
    const store = openContextStore(invocation);
    const named = invocation.values['context'];
    const { name, context } = await chooseContext(store, typeof named === 'string' ? named : undefined, undefined);
    const isEnded = await endLogin(invocation, name, context);
    await store.update(async ({ contexts }) => {
      const { side, url, user, ca } = context;
      contexts[name] = { side, url, user, ...(ca !== undefined && { ca }) };
    });
    invocation.out(`Logged out of ${name}`);
    if (!isEnded) invocation.err(`${context.url} did not answer: there the login ends by itself`);
  },
};

/** Ends a login at its platform. False if the platform cannot be told. A login that has ended already is not an error. */
export async function endLogin(invocation: Invocation, name: string, context: Context): Promise<boolean> {
  await using client = await openPlatform({ ...invocation, values: { context: name } }, context);
  try {
    if (context.side === 'partner' && context.cookie !== undefined) await client.call(closeLoginSessionEndpoint);
    if (context.side === 'manager' && context.tokens) {
      await client.call(logOutEndpoint, { body: { refreshToken: context.tokens.refreshToken } });
    }
    return true;
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    return error.status === 401;
  }
}
