/**
 * The link to the next page of a list: the request with another `cursor`. Absent if there is no further page. `path` begins with the
 * context path.
 */
export function nextLink(
  path: string,
  query: Readonly<Record<string, unknown>>,
  cursor: string | number | undefined,
): { readonly next?: string } {
  if (cursor === undefined) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return { next: `${path}?${parameters.toString()}` };
}
