const authority = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

/** Scheme and authority that the client used; `fallback` replaces an invalid host. */
export function baseUrlOf(protocol: string, host: string | undefined, fallback: string): string {
  const scheme = protocol.toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${host !== undefined && authority.test(host) ? host : fallback}`;
}
