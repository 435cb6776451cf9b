import { createPublicKey, type KeyObject } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { parseJwks } from './jwks.ts';
import type { KeySource } from './key-source.ts';

/** The addresses of key sets, and how long a fetched set is used. */
export interface RemoteKeySourceOptions {
  urls: readonly string[];
  logger: Pick<Logger, 'warn'>;
  /** After this long a set is fetched again, and withdrawn keys are forgotten; 5 minutes by default. */
  maxAgeMs?: number;
  /** How often unknown key ids may cause a fetch; 5 s by default. */
  minRefetchMs?: number;
  /** One fetch; 3 s by default. */
  timeoutMs?: number;
}

type Keys = ReadonlyMap<string, KeyObject>;

const maxBodyBytes = 256 * 1024;

/**
 * The keys of published sets (RFC 7517). A set is fetched when it is first needed, when it is old, and when a token
 * names an unknown key. While an issuer is unreachable, its last published keys stay valid.
 */
export function createRemoteKeySource(options: RemoteKeySourceOptions): KeySource {
  const { urls, logger, maxAgeMs = 300_000, minRefetchMs = 5_000, timeoutMs = 3_000 } = options;
  const known = new Map<string, Keys>();
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  const refreshOne = async (url: string): Promise<void> => {
    try {
      known.set(url, await fetchKeys(url, timeoutMs));
    } catch (error) {
      logger.warn({ err: error, url }, 'cannot fetch the token keys: using those fetched before');
    }
  };
  const refresh = (): Promise<void> => {
    attemptedAt = performance.now();
    refreshing ??= Promise.all(urls.map(refreshOne)).then(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const lookUp = (kid: string): KeyObject | undefined =>
    urls.map((url) => known.get(url)?.get(kid)).find((key) => key !== undefined);

  return {
    find: async (kid) => {
      const ageMs = performance.now() - attemptedAt;
      const key = lookUp(kid);
      if (key === undefined ? ageMs > minRefetchMs : ageMs > maxAgeMs) await refresh();
      else if (key === undefined) await refreshing;
      const found = lookUp(kid);
      if (found === undefined && known.size === 0) {
        throw new CodedError('service_unavailable', { detail: 'The issuer of the access tokens cannot be reached' });
      }
      return found;
    },
  };
}

async function fetchKeys(url: string, timeoutMs: number): Promise<Keys> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the response to the key set request has status ${response.status}`);
  const body = await response.text();
  if (body.length > maxBodyBytes) throw new Error(`the key set has more than ${maxBodyBytes} characters`);
  return new Map(parseJwks(JSON.parse(body)).map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: 'jwk' })]));
}
