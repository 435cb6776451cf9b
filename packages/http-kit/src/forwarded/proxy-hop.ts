import type { IncomingMessage } from 'node:http';
import { canonicalAddress } from '@waybill/service-kit/network/client-address';
import { fromTheRight } from './from-the-right.ts';

/** The request as a proxy received it. Missing and invalid values are undefined. */
export interface ProxyHop {
  readonly address: string | undefined;
  readonly port: number | undefined;
  readonly scheme: 'http' | 'https' | undefined;
  readonly host: string | undefined;
}

type Headers = IncomingMessage['headersDistinct'];

/** The hops in `X-Forwarded-For`, `-Proto` and `-Host`, the nearest first. */
export function* xForwardedHops(headers: Headers): Generator<ProxyHop> {
  const listOf = (name: string) => fromTheRight(headers[name]?.join(',') ?? '');
  const [schemes, hosts] = [lastOf(listOf('x-forwarded-proto')), lastOf(listOf('x-forwarded-host'))];
  let isEmpty = true;
  for (const item of listOf('x-forwarded-for')) {
    isEmpty = false;
    yield { ...nodeOf(item), scheme: schemeOf(schemes()), host: hosts() };
  }
  // Some proxies report the scheme only.
  if (isEmpty) yield { ...nodeOf(''), scheme: schemeOf(schemes()), host: hosts() };
}

/** The hops in `Forwarded` (RFC 7239), the nearest first. */
export function* forwardedHops(headers: Headers): Generator<ProxyHop> {
  for (const element of fromTheRight(headers['forwarded']?.join(',') ?? '')) {
    const pairs = pairsOf(element) ?? new Map<string, string>();
    yield {
      ...nodeOf(pairs.get('for') ?? ''),
      scheme: schemeOf(pairs.get('proto')),
      host: pairs.get('host'),
    };
  }
}

/**
 * The next item at each call; after the last one, the leftmost again: many proxies overwrite the header instead of
 * appending to it.
 */
function lastOf(items: Generator<string, void>): () => string | undefined {
  let last: string | undefined;
  return () => {
    last = items.next().value ?? last;
    return last;
  };
}

/** An address with or without a port, in the form of `node` in RFC 7239 section 6 and of Azure and others. */
function nodeOf(text: string): Pick<ProxyHop, 'address' | 'port'> {
  const { bracketed, dotted, port } =
    /^(?:\[(?<bracketed>[^\]]+)\]|(?<dotted>[\d.]+))(?::(?<port>[\w.-]+))?$/u.exec(text)?.groups ?? {};
  return { address: canonicalAddress(bracketed ?? dotted ?? text), port: portOf(port) };
}

/** A port may be obfuscated (RFC 7239 section 6.3). */
function portOf(text = ''): number | undefined {
  return /^\d{1,5}$/u.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function schemeOf(text: string | undefined): 'http' | 'https' | undefined {
  const scheme = text?.toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
}

const pair = /[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))[ \t]*(?:;|$)/uy;

/** Undefined if it is not a `forwarded-element` of RFC 7239 section 4, or if a parameter occurs twice. */
function pairsOf(element: string): Map<string, string> | undefined {
  const pairs = new Map<string, string>();
  for (pair.lastIndex = 0; pair.lastIndex < element.length;) {
    const [, name, quoted, token] = pair.exec(element) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || pairs.has(key)) return undefined;
    pairs.set(key, quoted?.replaceAll(/\\(.)/gu, '$1') ?? token ?? '');
  }
  return pairs;
}
