import { readFile } from 'node:fs/promises';
import type { Anchor } from '../../domain/anchors/anchor.ts';
import type { AnchorSettings } from './anchor-settings.ts';
import { anchoredState, readShortText } from './anchored-text.ts';

/** Nothing is stored, or the endpoint only takes checkpoints and does not return them. */
const nothingStatuses = new Set([204, 404, 405, 410, 501]);

/** An HTTP endpoint: PUT or POST stores the checkpoint, and GET of the same address returns it. */
export function createHttpAnchor(settings: Extract<AnchorSettings, { kind: 'http' }>): Anchor {
  const { name, url, method, 'token-file': tokenFile } = settings;
  const headers = async (): Promise<Record<string, string>> => {
    if (tokenFile === undefined) return {};
    // Read for each request: tokens expire, and are replaced.
    return { authorization: `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}` };
  };
  return {
    name,
    read: async (_head, signal) => {
      const response = await fetch(url, { headers: await headers(), redirect: 'error', signal });
      const text = await readShortText(response);
      if (nothingStatuses.has(response.status)) return undefined;
      if (!response.ok) throw new Error(`${name} answered ${response.status} to GET`);
      return anchoredState(text);
    },
    store: async ({ note }, _change, signal) => {
      const contentType = { 'content-type': 'text/plain; charset=utf-8' };
      const all = { ...(await headers()), ...contentType };
      const response = await fetch(url, { method, headers: all, body: note, redirect: 'error', signal });
      await readShortText(response);
      if (!response.ok) throw new Error(`${name} answered ${response.status} to ${method}`);
      return undefined;
    },
  };
}
