import { languages } from './languages.ts';
import type { LanguageSource } from './translation.ts';

/** The languages that there are, by their tags. */
export const languageSources: ReadonlyMap<string, LanguageSource> = new Map(Object.entries(languages));

const key = 'waybill-language';

/** The language that the user has chosen in this browser, or else the one that the browser prefers. */
export function preferredLanguage(): string {
  const [first = 'en', ...others] = languageSources.keys();
  return chooseLanguage([first, ...others], [...keptLanguage(), ...navigator.languages]);
}

/** Keeps the user's choice in this browser, and loads the page again in that language. */
export function changeLanguage(tag: string): void {
  localStorage.setItem(key, tag);
  location.reload();
}

function keptLanguage(): string[] {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? [] : [kept];
  } catch {
    // The browser keeps nothing for this page, or this is no browser.
    return [];
  }
}

/** The first of the wanted languages that is available, in any of its regional forms; the first available one, if none is. */
export function chooseLanguage(available: readonly [string, ...string[]], wanted: readonly string[]): string {
  for (const tag of wanted) {
    const parts = tag.toLowerCase().split('-');
    for (let length = parts.length; length > 0; length -= 1) {
      const found = available.find((name) => name.toLowerCase() === parts.slice(0, length).join('-'));
      if (found !== undefined) return found;
    }
  }
  return available[0];
}
