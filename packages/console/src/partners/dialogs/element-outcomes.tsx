import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts.ts';
import type { Outcome } from './use-each-element.ts';

/** How many elements are in the page besides those that failed: the others are counted. */
const shownAtMost = 100;

interface ElementOutcomesProps {
  readonly elements: readonly FileElement[];
  /** By path; an element that is not in it has not been tried. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What is said of an element that is done. */
  readonly done: string;
  readonly isBusy: boolean;
}

/** The names of elements, each with what has become of it: first those that failed. */
export function ElementOutcomes({ elements, outcomes, done, isBusy }: ElementOutcomesProps) {
  const isDone = ({ id }: FileElement): boolean => outcomes.has(id) && outcomes.get(id) === undefined;
  const failed = elements.filter(({ id }) => outcomes.get(id) !== undefined);
  const others = elements.filter(({ id }) => outcomes.get(id) === undefined);
  const shown = [...failed, ...others.slice(0, shownAtMost)];
  return (
    <>
      {isBusy && <p role="status">{texts.elementsDone(elements.filter(isDone).length, elements.length)}</p>}
      <ul className="names">
        {shown.map((element) => (
          <li key={element.id}>
            <OutsideText text={element.filename} />{' '}
            <span className="failure">
              <OutsideText text={outcomes.get(element.id)} />
            </span>
            {isDone(element) && <span>{done}</span>}
          </li>
        ))}
      </ul>
      {elements.length > shown.length && <p>{texts.andMore(elements.length - shown.length)}</p>}
    </>
  );
}
