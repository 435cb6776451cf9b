/** What had the focus on a page. */
export interface FocusedControl {
  /** The `data-place` of its row; undefined outside of rows. */
  readonly row: string | undefined;
  /** How it is called. */
  readonly name: string;
  /** Which one of those with that name in the row, or on the page. */
  readonly ordinal: number;
}

/** Where a user is on a page. */
export interface PagePlace {
  /** How far each scroller is scrolled, in pixels. */
  readonly offsets: readonly number[];
  readonly focus: FocusedControl | undefined;
}

/** What scrolls: the page in a narrow window, and in others what is in it, as the selectors of an application say. */
export type Scrollers = readonly string[];

const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [data-place]';

/** Where the user is. `focused`: what had the focus last, which may be gone. */
export function readPlace(scrollers: Scrollers, focused: Element | undefined): PagePlace {
  return {
    offsets: scrollers.map((selector) => document.querySelector(selector)?.scrollTop ?? 0),
    focus: focused?.isConnected === true ? describeControl(focused) : undefined,
  };
}

/** Scrolls to a place as far as what is there allows, and focuses what had the focus. Whether all of it is done. */
export function goToPlace(scrollers: Scrollers, { offsets, focus }: PagePlace): boolean {
  let isThere = true;
  for (const [index, selector] of scrollers.entries()) {
    const offset = offsets[index] ?? 0;
    const scroller = document.querySelector(selector);
    if (scroller === null || Math.abs(scroller.scrollTop - offset) < 1) continue;
    scroller.scrollTop = offset;
    isThere &&= Math.abs(scroller.scrollTop - offset) < 1;
  }
  if (focus === undefined || !isFocusFree()) return isThere;
  const control = findControl(focus);
  control?.focus({ preventScroll: true });
  return isThere && control !== undefined;
}

/** A place that was stored. */
export function parsePlace(value: unknown): PagePlace | undefined {
  if (typeof value !== 'object' || value === null || !('offsets' in value) || !Array.isArray(value.offsets))
    return undefined;
  return { offsets: value.offsets.map(Number), focus: 'focus' in value ? parseFocus(value.focus) : undefined };
}

function parseFocus(value: unknown): FocusedControl | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('ordinal' in value)) return undefined;
  const row = 'row' in value && typeof value.row === 'string' ? value.row : undefined;
  return { row, name: String(value.name), ordinal: Number(value.ordinal) };
}

/** Rows of a virtual list keep their own focus. */
function describeControl(element: Element): FocusedControl | undefined {
  const row = element.closest<HTMLElement>('[data-place]');
  const scope = row ?? element.closest('main');
  if (scope === null || (row === null && element.closest('[aria-rowindex]') !== null)) return undefined;
  const name = nameOf(element);
  const ordinal = controlsOf(scope, name).findIndex((control) => control === element);
  return ordinal === -1 ? undefined : { row: row?.dataset['place'], name, ordinal };
}

function findControl({ row, name, ordinal }: FocusedControl): HTMLElement | undefined {
  const scope =
    row === undefined
      ? document.querySelector('main')
      : [...document.querySelectorAll<HTMLElement>('main [data-place]')].find(
          ({ dataset }) => dataset['place'] === row,
        );
  return scope ? controlsOf(scope, name)[ordinal] : undefined;
}

/** A row can have the focus itself. */
function controlsOf(scope: Element, name: string): HTMLElement[] {
  return [scope, ...scope.querySelectorAll(controls)]
    .filter((element) => element instanceof HTMLElement)
    .filter((element) => element.matches(controls) && nameOf(element) === name);
}

function nameOf(element: Element): string {
  const { ariaLabel, tagName } = element;
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
  const content = element.matches('[data-place], [role=group]') ? '' : element.textContent;
  return `${tagName} ${(ariaLabel ?? label ?? content).trim()}`;
}

/** A page focuses its title when it opens. */
function isFocusFree(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.tagName === 'H1';
}
