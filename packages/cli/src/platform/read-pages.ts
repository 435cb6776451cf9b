/** The pages of a list, from the first to the last. `next` of a page is a link that may have no scheme and host. */
export async function* readPages<P extends { readonly next?: string | undefined }>(
  readPage: (cursor: { readonly cursor?: string }) => Promise<P>,
): AsyncGenerator<P, void> {
  let page = await readPage({});
  yield page;
  for (let cursor = cursorOf(page.next); cursor !== undefined; cursor = cursorOf(page.next)) {
    page = await readPage({ cursor });
    yield page;
  }
}

/** The items of all pages of a list. */
export async function readItems<T>(
  readPage: (page: { readonly maxItems: number; readonly cursor?: string }) => Promise<{
    readonly items: readonly T[];
    readonly next?: string | undefined;
  }>,
): Promise<T[]> {
  const found: T[] = [];
  for await (const { items } of readPages((cursor) => readPage({ maxItems: 1_000, ...cursor }))) found.push(...items);
  return found;
}

function cursorOf(link: string | undefined): string | undefined {
  if (link === undefined) return undefined;
  return new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('cursor') ?? undefined;
}
