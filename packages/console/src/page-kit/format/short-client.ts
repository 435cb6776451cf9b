/** The products of browsers, each before those that it claims to be as well. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['HeadlessChrome', 'Chrome'],
  ['Version', 'Safari'],
] as const;

const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const;

/** The longest text of another client that is shown. */
const charactersAtMost = 40;

/** A `User-Agent` in short: `Firefox 140, Linux`; of what is no browser, the first product. */
export function shortClient(client: string): string {
  if (client.startsWith('Mozilla/')) {
    for (const [product, name] of browsers) {
      const [, version] = new RegExp(`\\b${product}/(\\d+)`, 'u').exec(client) ?? [];
      if (version === undefined) continue;
      const system = systems.find((one) => client.includes(one));
      return [`${name} ${version}`, ...(system === undefined ? [] : [system])].join(', ');
    }
  }
  const [first = ''] = client.split(' ');
  const characters = Array.from(first);
  return characters.length > charactersAtMost ? `${characters.slice(0, charactersAtMost).join('')}…` : first;
}
