/** The cursor in the link to the next page of a list, which may have no scheme and host; `undefined` on the last page. */
export function nextCursor(link: string | undefined): string | undefined {
  if (link === undefined) return undefined;
  const query = link.slice(link.indexOf('?') + 1);
  return new URLSearchParams(query).get('cursor') ?? undefined;
}
