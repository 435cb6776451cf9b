import { z } from 'zod';

/** An address with options, `<address>?<name>=<value>&...`, as the settings of anchors and of forwarding have it. */
export interface SettingItem {
  readonly address: string;
  /** Not decoded: the key of a witness contains plus signs. */
  readonly options: ReadonlyMap<string, string>;
}

/**
 * A list of such items, separated by blanks, line ends or commas. `parse` returns a value, or what is wrong with the item;
 * two values cannot have the same name.
 */
export function itemListSchema<T extends { readonly name: string }>(parse: (item: SettingItem) => T | string) {
  return z.string().transform((text, context): T[] => {
    const values: T[] = [];
    for (const item of text.split(/[\s,]+/u)) {
      if (item === '') continue;
      const split = splitItem(item);
      const value = parse(split);
      if (typeof value === 'string') context.addIssue({ code: 'custom', message: `names ${split.address}, ${value}` });
      else if (values.some(({ name }) => name === value.name))
        context.addIssue({ code: 'custom', message: `names ${value.name} twice` });
      else values.push(value);
    }
    return values;
  });
}

function splitItem(item: string): SettingItem {
  const address = item.split('?', 1)[0] ?? '';
  const options = new Map(
    item
      .slice(address.length + 1)
      .split('&')
      .flatMap((part) => (part === '' ? [] : [[part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)]])),
  );
  return { address, options };
}

/** An HTTP address whose query has the options that are not in `known`. */
export function httpAddressOf({ address, options }: SettingItem, known: Readonly<Record<string, unknown>>): string {
  const others = [...options].filter(([name]) => !Object.hasOwn(known, name));
  const query = others.map(([name, value]) => `${name}=${value}`).join('&');
  return query === '' ? address : `${address}?${query}`;
}

/** True for an address at which a token is not sent unencrypted over a network. */
export function isConfidential(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** What is wrong with the options of an item. */
export function faultOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `whose option ${path.join('.')} is wrong: ${message}`).join('; ');
}
