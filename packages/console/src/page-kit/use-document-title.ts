import { useEffect } from 'react';
import { texts } from './texts.ts';

/** Names the page in the title of the window; a screen reader says it first. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
}
