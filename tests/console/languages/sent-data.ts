import { setTimeout } from 'node:timers/promises';
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

/** How long an answer is waited for once it has begun. */
const readAtMostMs = 3_000;

/** Remembers what the platform sends to a page, so that it can be told from texts of the page. */
export function watchSentData(page: Page): () => Promise<RegExp[]> {
  const reading: Promise<void>[] = [];
  const sent = new Set<string>();
  const keep = (value: unknown): void => {
    if (typeof value === 'string') sent.add(value.trim());
    if (typeof value !== 'object' || value === null) return;
    // Objects inside of records are shown as they are.
    const text = JSON.stringify(value);
    if (text.length < 2_000) sent.add(text);
    if (!Array.isArray(value)) for (const key of Object.keys(value)) sent.add(key);
    for (const each of Object.values(value)) keep(each);
  };
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    // Exports have a value in each line, and the lines of a checkpoint are shown, too.
    const readers = [
      [
        /ndjson/u,
        (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])),
      ],
      [/json/u, (text: string) => JSON.parse(text) as unknown],
      [/text\/plain/u, (text: string) => [text, ...text.split(/\s+/u)]],
    ] as const;
    const read = readers.find(([pattern]) => pattern.test(type))?.[1];
    // A page that is left takes its answers with it, or leaves them unfinished.
    if (read !== undefined)
      reading.push(
        Promise.race([response.text().then((text) => keep(read(text))), setTimeout(readAtMostMs)]).catch(
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
