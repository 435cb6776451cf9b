import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import type { Permission } from '@waybill/contracts/values/permission';
import { useCallback, useEffect, useState } from 'react';
import type { ListingOrder } from '../api/elements.ts';
import { usePermissionsOfAll } from '../api/use-permissions.ts';

/** Elements by their paths. */
type Selection = ReadonlyMap<string, FileElement>;

/** The elements that are selected, and what changes them. The functions stay the same from one rendering to the next. */
export interface SelectionState {
  readonly selection: Selection;
  readonly chosen: readonly FileElement[];
  /** What the user may do with each of them; undefined as long as it is not known. */
  readonly permissions: ReadonlySet<Permission> | undefined;
  readonly toggle: (element: FileElement) => void;
  /** Selects elements besides those that are selected. */
  readonly add: (elements: readonly FileElement[]) => void;
  readonly clear: () => void;
  /** Keeps of the selection only what is among all elements of the folder. */
  readonly keepOnly: (elements: ReadonlySet<string>) => void;
}

/** The elements that are selected: none after the folder, or what is shown of it, has changed. */
export function useSelection(
  path: string,
  { filter, isDeep }: Pick<ListingOrder, 'filter' | 'isDeep'>,
): SelectionState {
  const [selection, setSelection] = useState<Selection>(new Map());
  const toggle = useCallback((element: FileElement) => setSelection((before) => toggled(before, element)), []);
  const add = useCallback(
    (elements: readonly FileElement[]) =>
      setSelection((before) => new Map([...before, ...elements.map((element) => [element.id, element] as const)])),
    [],
  );
  const clear = useCallback(() => setSelection(new Map()), []);
  const keepOnly = useCallback(
    (elements: ReadonlySet<string>) => setSelection((before) => reduced(before, elements)),
    [],
  );
  useEffect(clear, [path, filter, isDeep, clear]);
  const chosen = [...selection.values()];
  const permissions = usePermissionsOfAll(chosen.map(({ id }) => id));
  return { selection, chosen, permissions, toggle, add, clear, keepOnly };
}

function toggled(before: Selection, element: FileElement): Selection {
  const next = new Map(before);
  if (!next.delete(element.id)) next.set(element.id, element);
  return next;
}

/** The same selection if nothing of it is gone. */
function reduced(before: Selection, elements: ReadonlySet<string>): Selection {
  const kept = [...before].filter(([id]) => elements.has(id));
  return kept.length === before.size ? before : new Map(kept);
}
