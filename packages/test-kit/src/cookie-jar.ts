/** The cookies that a client has been given, by name; good for one origin. */
export interface CookieJar {
  /** Takes in the `Set-Cookie` lines of one response; an expired cookie leaves the jar. */
  store(setCookieLines: readonly string[]): void;
  /** The value of the `Cookie` request header, or nothing when the jar is empty. */
  header(): string | undefined;
  get(name: string): string | undefined;
  clear(): void;
}

/**
 * Creates an empty jar. It implements the parts of RFC 6265 that tests need: names, values, and removal by
 * `Max-Age=0` or a past date.
 */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, string>();
  return {
    store(setCookieLines) {
      for (const line of setCookieLines) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
        const separator = pair.indexOf('=');
        if (separator < 1) continue;
        const name = pair.slice(0, separator);
        if (attributes.some(isExpired)) cookies.delete(name);
        else cookies.set(name, pair.slice(separator + 1));
      }
    },
    header: () => (cookies.size === 0 ? undefined : [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')),
    get: (name) => cookies.get(name),
    clear: () => cookies.clear(),
  };
}

function isExpired(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=');
  if (name.toLowerCase() === 'max-age') return Number(value) <= 0;
  if (name.toLowerCase() === 'expires') return Date.parse(value) <= Date.now();
  return false;
}
