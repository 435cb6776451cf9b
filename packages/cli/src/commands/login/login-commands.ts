import { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import { setFirstPasswordEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import { closeLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/logins/close-login-session';
import { createClient } from '@waybill/platform-client/create-client';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { type DeviceInvitation, logInOnDevice } from '@waybill/platform-client/credentials/device-login';
import { logIn } from '@waybill/platform-client/credentials/manager-login';
import { openLoginSession } from '@waybill/platform-client/credentials/partner-login';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { type Context, openContextStore } from '../../platform/contexts.ts';
import { chooseContext, openPlatform, readAuthority } from '../../platform/open-platform.ts';
import { readOneTimeCode, readPassword } from '../../platform/passwords.ts';

/** Logs in, and keeps the login as a context. */
export const loginCommand: Command = {
  summary:
    'Logs in and keeps the login as a context. The password is read from WAYBILL_PASSWORD, standard input or the terminal; with `--code` it is the first password of a new manager user. A user with a second factor is asked for a code, or gives `--one-time-code`. With `--oidc` the user logs in with the issuer of the platform, in any browser.',
  usage:
    '--url <platform> (--user <name> | --oidc) [--partner] [--context <name>] [--ca <file>] [--code <code>] [--one-time-code <code>]',
  examples: [
    'waybill login --url https://127.0.0.1:9443 --user admin --ca authority.pem',
    'waybill login --url https://files.example.org --user acme --partner < password.txt',
    'waybill login --url https://manager.example.org:9443 --oidc',
  ],
  positionals: [],
  options: {
    url: { type: 'string' },
    user: { type: 'string' },
    partner: { type: 'boolean' },
    context: { type: 'string' },
    ca: { type: 'string' },
    code: { type: 'string' },
    'one-time-code': { type: 'string' },
    oidc: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { values, env, out } = invocation;
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
    out(`Logged in as ${context.user}; the context ${name} is kept in ${store.file}`);
  },
};

async function contextOfIssuer(
  { call }: PlatformClient,
  place: { readonly url: string },
  { out, interruption }: Invocation,
): Promise<Context> {
  const invite = ({ userCode, verificationUri, verificationUriComplete }: DeviceInvitation): void => {
    out(`Log in at ${verificationUriComplete ?? verificationUri}`);
    out(`Check there that the code is ${userCode}`);
  };
  const { user, tokens } = await logInOnDevice(call, invite, interruption?.());
  return { side: 'manager', ...place, user, tokens };
}

async function contextOf(
  { call }: PlatformClient,
  place: { readonly url: string; readonly user: string },
  password: string,
  invocation: Invocation,
): Promise<Context> {
  const { partner, code } = invocation.values;
  if (partner === true) {
    const open = (oneTime?: string) => openLoginSession(call, place.user, password, oneTime);
    return { side: 'partner', ...place, cookie: await withCode(open, 'at /ui', invocation) };
  }
  if (typeof code === 'string') {
    await call(setFirstPasswordEndpoint, { body: { username: place.user, code, newPassword: password } });
  }
  const enter = (oneTime?: string) => logIn(call, place.user, password, oneTime);
  return {
    side: 'manager',
    ...place,
    tokens: await withCode(enter, 'with `waybill second-factor enable`', invocation),
  };
}

/** Asks for a code of the second factor if the platform demands one. `where` users set one up. */
async function withCode<T>(enter: (code?: string) => Promise<T>, where: string, invocation: Invocation): Promise<T> {
  const given = invocation.values['one-time-code'];
  try {
    return await enter(typeof given === 'string' ? given : undefined);
  } catch (error) {
    if (isPlatformError(error) && error.code === 'second_factor_setup_required') {
      throw new UsageError(`the platform demands a second factor: set one up ${where}`, { cause: error });
    }
    if (!isPlatformError(error) || error.code !== 'second_factor_required') throw error;
    return await enter(await readOneTimeCode(invocation));
  }
}

/** Ends a login. */
export const logoutCommand: Command = {
  summary: 'Ends a login, at the platform and on this machine. The context stays, without its login.',
  usage: '[--context <name>]',
  examples: ['waybill logout', 'waybill logout --context acme@files.example.org'],
  positionals: [],
  options: { context: { type: 'string' } },
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

/** False if the platform cannot be told. A login that has ended already is not an error. */
async function endLogin(invocation: Invocation, name: string, context: Context): Promise<boolean> {
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
