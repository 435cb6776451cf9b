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

function cursorOf(link: string | undefined): string | undefined {
  if (link === undefined) return undefined;
  return new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('cursor') ?? undefined;
}
