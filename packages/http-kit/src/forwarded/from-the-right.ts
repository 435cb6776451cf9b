/**
 * The items of a list in a header, the last one first, without empty ones. Each proxy appends its item: anything
 * before the items of trusted proxies is untrusted, and is not read. A comma in a quoted string does not separate
 * items. Quotes are matched from the right, so that an unmatched quote only affects items to the left of it.
 */
export function* fromTheRight(list: string): Generator<string, void> {
  let end = list.length;
  let isQuoted = false;
  for (let at = list.length - 1; at >= 0; at -= 1) {
    if (list[at] === '"' && !isEscaped(list, at)) isQuoted = !isQuoted;
    if (list[at] !== ',' || isQuoted) continue;
    const item = list.slice(at + 1, end).trim();
    if (item !== '') yield item;
    end = at;
  }
  const first = list.slice(0, end).trim();
  if (first !== '') yield first;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
