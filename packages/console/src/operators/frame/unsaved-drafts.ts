import { useEffect, useId } from 'react';
import { createStore } from '../../page-kit/create-store.ts';

/** What was typed in editors that are open, and is not saved, by editor. */
export const unsavedDrafts = createStore<ReadonlyMap<string, string>>(new Map());

/** Makes known what was typed in an editor while it is open; undefined: nothing that leaving would lose. */
export function useUnsavedDraft(text: string | undefined): void {
  const id = useId();
  useEffect(() => setDraft(id, text), [id, text]);
  // Not between two texts: a page without a draft does not stay.
  useEffect(() => () => setDraft(id, undefined), [id]);
}

function setDraft(id: string, text: string | undefined): void {
  const drafts = new Map(unsavedDrafts.get());
  if (text === undefined && !drafts.delete(id)) return;
  if (text !== undefined) drafts.set(id, text);
  unsavedDrafts.set(drafts);
}
