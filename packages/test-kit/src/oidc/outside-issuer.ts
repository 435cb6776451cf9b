import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** The platform as a client of the issuer. */
export const oidcClient = {
  id: 'waybill',
  secret: 'the secret of the platform',
  callback: 'http://127.0.0.1/callback',
};

/** A key that the issuer signs with. */
export interface IssuerKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A real issuer of OpenID Connect on a port of this machine. Its users log in without being asked. */
export interface OutsideIssuer extends AsyncDisposable {
  readonly url: string;
  readonly key: () => IssuerKey;
  /** Whether it refuses the next logins, as for a user who cancels. */
  refuses: boolean;
  /** The next user who logs in. */
  account: { readonly subject: string; readonly claims: Readonly<Record<string, unknown>> };
  /** Replaces the ID tokens that it issues; none by default. */
  forge: ((idToken: string) => Promise<string>) | undefined;
  /** How often its keys were fetched. */
  readonly keyRequests: () => number;
  /** Signs with another key from now on, and forgets the former one. */
  rotate(): void;
}

/** Makes a key for RS256. */
export function newIssuerKey(kid: string = randomUUID()): IssuerKey {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) };
}

/** Starts one. */
export async function startOutsideIssuer(callback: () => string): Promise<OutsideIssuer> {
  let key = newIssuerKey();
  let keyRequests = 0;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (provider === undefined) throw new Error('the issuer is not ready');
    const path = request.url ?? '';
    if (path.startsWith('/jwks')) keyRequests += 1;
    if (path.startsWith('/interaction/')) void interact(provider, request, response);
    else void provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const interact = async (at: Provider, request: IncomingMessage, response: ServerResponse) => {
    const { prompt } = await at.interactionDetails(request, response);
    if (prompt.name !== 'login') throw new Error(`the issuer asks for ${prompt.name}`);
    const refusal = { error: 'access_denied', error_description: 'The user has cancelled' };
    const login = { login: { accountId: issuer.account.subject } };
    await at.interactionFinished(request, response, issuer.refuses ? refusal : login);
  };
  const issuer: OutsideIssuer = {
    url,
    refuses: false,
    account: { subject: 'nobody', claims: {} },
    forge: undefined,
    key: () => key,
    keyRequests: () => keyRequests,
    rotate: () => {
      key = newIssuerKey();
      provider = createProvider(issuer, key, callback());
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  provider = createProvider(issuer, key, callback());
  return issuer;
}

const platformClient = {
  client_id: oidcClient.id,
  client_secret: oidcClient.secret,
  grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code' as const],
};

function createProvider(issuer: OutsideIssuer, { kid, privateKey }: IssuerKey, callback: string): Provider {
  const provider = new Provider(issuer.url, {
    clients: [{ ...platformClient, redirect_uris: [callback] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      deviceFlow: {
        enabled: true,
        // The pages of the issuer are for people: here their forms are sent at once.
        userCodeInputSource: (context, form) => {
          context.body = form;
        },
        userCodeConfirmSource: (context, form) => {
          context.body = form;
        },
        successSource: (context) => {
          context.body = 'done';
        },
      },
    },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...issuer.account.claims }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    const body: unknown = context.body;
    if (context.path !== '/token' || issuer.forge === undefined || !isTokenResponse(body)) return;
    context.body = { ...body, id_token: await issuer.forge(body.id_token) };
  });
  return provider;
}

function isTokenResponse(body: unknown): body is { id_token: string } {
  return typeof body === 'object' && body !== null && 'id_token' in body && typeof body.id_token === 'string';
}

/** A browser: it keeps cookies, follows redirects of the issuer, and sends its forms. */
export function openBrowser() {
  const jar = new Map<string, string>();
  const visit = async (address: string, form?: URLSearchParams): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  /** Follows redirects up to an address that begins with `until`, which it returns. */
  const follow = async (response: Response, at: string, until: string): Promise<string> => {
    const location = response.headers.get('location');
    if (location === null) throw new Error(`no redirect at ${at}: ${response.status} ${await response.text()}`);
    const next = new URL(location, at).href;
    return next.startsWith(until) ? next : await follow(await visit(next), next, until);
  };
  /** Follows redirects, and sends the form of each page, until a page has none. */
  const decide = async (address: string): Promise<string> => {
    const response = await visit(address);
    const location = response.headers.get('location');
    if (location !== null) return await decide(new URL(location, address).href);
    return await submit(address, await response.text());
  };
  const submit = async (address: string, page: string): Promise<string> => {
    const action = /<form[^>]*action="([^"]+)"/u.exec(page)?.[1];
    if (action === undefined) return page;
    const fields = [...page.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/gu)];
    const form = new URLSearchParams();
    for (const [, name = '', value = ''] of fields) form.set(name, value);
    form.set('confirm', 'yes');
    const sent = await visit(new URL(action, address).href, form);
    const location = sent.headers.get('location');
    if (location !== null) return await decide(new URL(location, address).href);
    return await submit(address, await sent.text());
  };
  return { jar, visit, follow, decide };
}
