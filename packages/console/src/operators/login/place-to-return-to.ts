/** What a page is, and below which path its application is. */
interface Application {
  readonly origin: string;
  /** Ends in `/`. */
  readonly start: string;
}

/** The address of a page of the application, whatever was kept. */
export function placeToReturnTo(kept: string | null, { origin, start }: Application): string {
  const base = `${origin}${start}`;
  const parsed = URL.canParse(kept ?? '', base) ? new URL(kept ?? '', base) : undefined;
  if (parsed?.origin !== origin || !parsed.pathname.startsWith(start)) return start;
  return `${parsed.pathname}${parsed.search}`;
}
