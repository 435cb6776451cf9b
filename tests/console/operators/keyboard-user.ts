import { waitFor } from '@waybill/test-kit/wait-for';
import type { Page } from 'playwright-core';
import { checkNarrowPage, findSpoiledPlaces } from '../page-checks.ts';
import { pressUntil } from './keyboard.ts';

/** The name of the focused element, as a screen reader says it. */
const nameOfFocused = `(() => {
  const at = document.activeElement;
  return at === document.body ? 'nothing' : at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
})()`;

/** Whether the focus can be seen: its outline is drawn, and the element is in the window with nothing over it. */
const isFocusSeen = `(() => {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const { left, right, top, bottom } = at.getBoundingClientRect();
  const middle = (from, to, size) => (Math.max(from, 0) + Math.min(to, size)) / 2;
  const hit = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  return at.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && at.contains(hit);
})()`;

/** Uses a page of 320 pixels with the keyboard alone, and gathers what is wrong with it. */
export class KeyboardUser {
  readonly page: Page;
  readonly #faults: string[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  /** What was wrong so far. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Moves the focus to an element, forwards unless `key` says otherwise. Its focus must be seen. */
  async reach(name: string, key = 'Tab'): Promise<void> {
    await pressUntil(this.page, key, `${nameOfFocused} === ${JSON.stringify(name)}`);
    if (!(await this.page.evaluate<boolean>(isFocusSeen))) this.#faults.push(`the focus is not seen on ${name}`);
  }

  /** Reaches a button or a link, and presses Enter. */
  async press(name: string): Promise<void> {
    await this.reach(name);
    await this.page.keyboard.press('Enter');
  }

  /** Reaches a field, and types a text. */
  async type(name: string, text: string): Promise<void> {
    await this.reach(name);
    await this.page.keyboard.type(text);
  }

  /** A user who goes on with Tab continues here, and a screen reader reads on from here. */
  async expectFocus(name: string, after: string): Promise<void> {
    const focused = (): Promise<string> => this.page.evaluate<string>(nameOfFocused);
    const isThere = async (): Promise<boolean> => (await focused()) === name;
    await waitFor(isThere, { what: name, timeoutMs: 5_000 }).catch(async () => {
      this.#faults.push(`after ${after} the focus is on ${await focused()}`);
    });
  }

  /** Nothing is beside the window, and nothing scrolls sideways but tables; axe finds nothing in either scheme. */
  async check(what: string): Promise<void> {
    await checkNarrowPage(this.page, what);
    this.#faults.push(...(await findSpoiledPlaces(this.page)).map((fault) => `${what}: ${fault}`));
  }
}
