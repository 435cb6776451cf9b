import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../page-kit/use-action.ts';

/** What has become of an element: undefined if it is done, otherwise why it is not. */
export type Outcome = string | undefined;

/** What is done with several elements. */
export interface ElementAction {
  readonly elements: readonly FileElement[];
  readonly act: (element: FileElement) => Promise<void>;
  /** How many elements are left, in a sentence. */
  readonly notDone: (count: number) => string;
  /** Some are done. */
  readonly onChanged: () => void;
  /** All are done. */
  readonly onDone: () => void;
}

/**
 * Does something with each of several elements, one after the other, and keeps the outcome of each by its path. Another try is for
 * those that are left. It ends with the component.
 */
export function useEachElement({ elements, act, notDone, onChanged, onDone }: ElementAction) {
  // The selection changes while its elements disappear.
  const [all] = useState(elements);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const isLeft = ({ id }: FileElement): boolean => !outcomes.has(id) || outcomes.get(id) !== undefined;
  const remaining = all.filter(isLeft);
  const { isBusy, failure, run } = useAction(async () => {
    let left = remaining.length;
    for (const element of remaining) {
      if (!isOpen.current) break;
      const outcome = await outcomeOf(() => act(element));
      if (outcome === undefined) left -= 1;
      setOutcomes((before) => new Map(before).set(element.id, outcome));
    }
    onChanged();
    if (left > 0) throw new Error(notDone(left));
  }, onDone);
  return { all, remaining, outcomes, isBusy, failure, run };
}

async function outcomeOf(act: () => Promise<void>): Promise<Outcome> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
