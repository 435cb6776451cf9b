import type { Page } from 'playwright-core';

/** Words of the platform's answers that pages have texts for: they are not shown as they are. */
const translated = new Set([
  'all',
  'anyone',
  'degraded',
  'delete',
  'disabled',
  'down',
  'download',
  'enabled',
  'expired',
  'Failing',
  'failed',
  'list',
  'met',
  'missed',
  'pending',
  'rename',
  'soon',
  'Suspended',
  'Unused',
  'up',
  'upload',
  'valid',
  'Working',
]);

/** Remembers what the platform sends to a page, so that it can be told from texts of the page. */
export function watchSentData(page: Page): () => Promise<RegExp[]> {
  const reading: Promise<void>[] = [];
  const sent = new Set<string>();
  const keep = (value: unknown): void => {
    if (typeof value === 'string') sent.add(value.trim());
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) for (const key of Object.keys(value)) sent.add(key);
    for (const each of Object.values(value)) keep(each);
  };
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    // A page that is left takes its answers with it.
    if (/json/u.test(type)) reading.push(response.json().then(keep, () => undefined));
    // A checkpoint, whose lines are shown, too.
    if (/text\/plain/u.test(type))
      reading.push(
        response.text().then(
          (text) => keep([text, ...text.split(/\s+/u)]),
          () => undefined,
        ),
      );
  });
  return async () => {
    await Promise.all(reading);
    return [...sent]
      .filter((text) => /\p{L}/u.test(text) && !translated.has(text))
      .toSorted((one, other) => other.length - one.length)
      .map(patternOf);
  };
}

/** A single short word is only found alone: as a part of a sentence, it may be one of the page. */
function patternOf(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
  const isWord = /^\p{L}{1,12}$/u.test(text);
  return new RegExp(isWord ? `^\\s*${escaped}\\s*$` : `(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'gu');
}
