let tag = 'en';

/** The tag of the language of the page, which is set before the texts are loaded. */
export function language(): string {
  return tag;
}

/** Sets the language of the page. */
export function setLanguage(chosen: string): void {
  tag = chosen;
}
