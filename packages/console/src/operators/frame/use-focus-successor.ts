import { type RefObject, useLayoutEffect, useRef } from 'react';
import { focusTitleIfLost } from './page-frame.tsx';

/**
 * Moves the focus on when a control vanishes with it, however late: to the same control of the next row or of one before, or else to the
 * heading of the section. Returns what does so after a dialog of the control, which may have vanished while the dialog was open.
 */
export function useFocusSuccessor(control: RefObject<HTMLElement | null>): () => void {
  const successors = useRef<readonly HTMLElement[]>([]);
  useLayoutEffect(() => {
    const element = control.current;
    // Until the effects have been undone, the element is in the page.
    return () => {
      successors.current = element === null ? [] : successorsOf(element);
      if (element?.contains(document.activeElement) === true) focusIfLost(successors.current);
    };
  }, [control]);
  return () => focusIfLost(successors.current);
}

/** The places in their order, the nearest rows first. */
function successorsOf(element: HTMLElement): HTMLElement[] {
  const heading = element.closest('section')?.querySelector<HTMLElement>('h2[tabindex]');
  const ofSection = heading ? [heading] : [];
  const row = element.closest('tr');
  if (row === null) return ofSection;
  const rows = [...(row.parentElement?.children ?? [])];
  const [place, control] = [rows.indexOf(row), buttonsIn(row).indexOf(element)];
  const others = [...rows.slice(place + 1), ...rows.slice(0, place).toReversed()];
  return [...others.flatMap((one) => buttonsIn(one)[control] ?? []), ...ofSection];
}

function buttonsIn(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('button')];
}

/** Focuses the first that can have the focus, or else the title of the page, after dialogs that close have returned the focus. */
function focusIfLost(places: readonly HTMLElement[]): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      for (const place of places) {
        if (document.activeElement !== document.body) return;
        place.focus();
      }
      focusTitleIfLost();
    }),
  );
}
