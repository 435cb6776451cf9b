import type { RouterHistory } from '@tanstack/react-router';
import { createKeptPlaces, storePlaces } from './kept-places.ts';
import { goToPlace, type PagePlace, parsePlace, readPlace, type Scrollers } from './page-place.ts';

/** What tells where users go, and when what is there is shown. */
interface KeptRouter {
  readonly history: RouterHistory;
  subscribe(event: 'onRendered', act: () => void): unknown;
}

/** Content that arrives later finds the page at its beginning. */
const givenUpMs = 10_000;

/** Other content of the page may still arrive above the place. */
const settledMs = 1_000;

/**
 * Keeps where users are on each entry of the history: how far it is scrolled and what had the focus. Back, Forward and a reload
 * lead there once the content is there, unless the user does something before. A link leads to the beginning of a page.
 */
export function keepPlaces(router: KeptRouter, scrollers: Scrollers): void {
  const places = createKeptPlaces('places', parsePlace);
  let entry = entryOf(router);
  let focused: Element | undefined;
  /** The place that the page is on the way to. */
  let wanted = places.find(entry);
  history.scrollRestoration = 'manual';

  const note = (): void => places.set(entry, wanted ?? readPlace(scrollers, focused));
  const stay = (): void => {
    wanted = undefined;
  };
  addEventListener('focusin', ({ target }) => {
    focused = inPage(target) ?? focused;
  });
  for (const input of ['keydown', 'pointerdown', 'wheel', 'touchstart'])
    addEventListener(input, stay, { capture: true, passive: true });
  addEventListener('pagehide', () => {
    note();
    storePlaces();
  });
  router.history.subscribe(() => {
    note();
    entry = entryOf(router);
    focused = inPage(document.activeElement);
    wanted = places.find(entry);
  });
  router.subscribe('onRendered', () => {
    if (wanted !== undefined) follow({ place: wanted, scrollers, isWanted: (place) => place === wanted, onEnd: stay });
  });
}

/** Goes to a place in each frame until it is there, and has been for a moment. */
function follow(way: {
  readonly place: PagePlace;
  readonly scrollers: Scrollers;
  readonly isWanted: (place: PagePlace) => boolean;
  readonly onEnd: () => void;
}): void {
  const { place, scrollers, isWanted, onEnd } = way;
  const begun = performance.now();
  let away = begun;
  const step = (now: number): void => {
    if (!isWanted(place)) return;
    if (!goToPlace(scrollers, place)) away = now;
    if (now - away > settledMs || now - begun > givenUpMs) onEnd();
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function entryOf({ history: { location } }: KeptRouter): string {
  return location.state.__TSR_key ?? '';
}

function inPage(target: EventTarget | null): Element | undefined {
  return target instanceof Element && target.closest('main') !== null ? target : undefined;
}
