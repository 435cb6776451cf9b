import { useEffect } from 'react';
import { visibleText } from './outside-text/visible-text.ts';
import { texts } from './texts.ts';

/** Names the page in the title of the window; a screen reader says it first. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${visibleText(title)} · ${texts.product}`;
  }, [title]);
}
