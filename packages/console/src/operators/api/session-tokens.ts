import { z } from 'zod';

const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresAt: z.number() });

/** The tokens of a login; `expiresAt` of the access token, in milliseconds since 1970. */
export type Tokens = z.infer<typeof tokensSchema>;

const messageSchema = z.object({ kind: z.enum(['ask', 'tokens']), tokens: tokensSchema.optional() });

const claimsSchema = z.object({ sub: z.string() });

/** They survive a reload, and end with the tab. */
const key = 'waybill.tokens';

const otherTabs = new BroadcastChannel('waybill-tokens');

/** How long another tab may take to answer. */
const patienceMs = 150;

/** The tokens of this tab. */
export function keptTokens(): Tokens | undefined {
  try {
    return tokensSchema.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

/** Keeps the tokens in this tab and gives them to the others; undefined removes them everywhere. */
export function keepTokens(tokens: Tokens | undefined): void {
  store(tokens);
  otherTabs.postMessage({ kind: 'tokens', tokens });
}

/** Calls back with the tokens that other tabs give. */
export function onTokens(listener: (tokens: Tokens | undefined) => void): void {
  otherTabs.addEventListener('message', ({ data }) => {
    const message = messageSchema.safeParse(data).data;
    if (message?.kind === 'tokens') {
      store(message.tokens);
      listener(message.tokens);
    } else if (message?.kind === 'ask') {
      const tokens = keptTokens();
      if (tokens !== undefined) otherTabs.postMessage({ kind: 'tokens', tokens });
    }
  });
}

/** The tokens of another tab, if there is one whose user is logged in. */
export async function askOtherTabs(): Promise<Tokens | undefined> {
  otherTabs.postMessage({ kind: 'ask' });
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
  return keptTokens();
}

/** The user whom an access token names; undefined if it cannot be read. */
export function userOf({ accessToken }: Tokens): string | undefined {
  try {
    const claims = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return claimsSchema.safeParse(JSON.parse(atob(claims))).data?.sub;
  } catch {
    return undefined;
  }
}

function store(tokens: Tokens | undefined): void {
  if (tokens === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(tokens));
}
