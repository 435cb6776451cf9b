/** Pages of a list that are read at most: 50,000 items. */
const pagesAtMost = 50;

/** Reads the items of all pages of a list. @throws RequestFailure */
export async function readAllItems<T>(
  readPage: (page: { readonly maxItems: number; readonly cursor: string | undefined }) => Promise<{
    readonly items: readonly T[];
    readonly next?: string | undefined;
  }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesAtMost; page += 1) {
    const { items, next } = await readPage({ maxItems: 1_000, cursor });
    found.push(...items);
    cursor = cursorOf(next);
    if (cursor === undefined) break;
  }
  return found;
}

/** The cursor of a link to a next page. */
export function cursorOf(link: string | undefined): string | undefined {
  if (link === undefined) return undefined;
  return new URL(link, location.origin).searchParams.get('cursor') ?? undefined;
}
