/** The cookies of a `Cookie` header (RFC 6265 section 5.4); if a name occurs twice, the first. */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, separator)).trim();
    if (name === '' || cookies.has(name)) continue;
    cookies.set(name, decodeValue(pair.slice(separator + 1).trim()));
  }
  return cookies;
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value.replace(/^"(.*)"$/u, '$1'));
  } catch {
    return value;
  }
}
