import type { RefObject } from 'react';
import { Button } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../../texts/texts.ts';
import { type Fault, type Place, readText } from './place-in-text.ts';

const { configuration } = texts;

/** Why settings were refused, with the line and the column of each wrong one, which a button leads to. */
export function FieldErrors(props: {
  readonly failure: Error;
  readonly text: string;
  readonly faults: readonly Fault[];
  /** Default: false. It was only tried. */
  readonly isOfTrial?: boolean;
  /** Where the text is edited. */
  readonly area: RefObject<HTMLTextAreaElement | null>;
}) {
  const { failure, text, faults, area, isOfTrial = false } = props;
  if (faults.length === 0)
    return (
      <p className="failure" role="alert">
        {failure.message}
      </p>
    );
  return (
    <div className="failure" role="alert">
      <p>{isOfTrial ? configuration.refusedTrial : configuration.refused}</p>
      <FaultList {...{ text, faults, area }} />
    </div>
  );
}

/** What is wrong at which place of a text. */
export function FaultList(props: {
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly area: RefObject<HTMLTextAreaElement | null>;
}) {
  const { text, faults, area } = props;
  const { placeOf } = readText(text);
  return (
    <ul>
      {faults.map((fault) => {
        const place = placeOf(fault);
        // The platform, and its schemas, say what is wrong in English.
        return (
          <li key={`${fault.field} ${fault.message}`}>
            {place !== undefined && (
              <Button className="button small" onPress={() => select(area.current, place)}>
                {configuration.place(place)}
              </Button>
            )}{' '}
            <OutsideText text={fault.field} />{' '}
            <span translate="no">
              <OutsideText text={fault.message} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Puts the cursor at a place, and selects the rest of its line. */
function select(area: HTMLTextAreaElement | null, { line, offset }: Place): void {
  if (area === null) return;
  const end = area.value.indexOf('\n', offset);
  area.focus();
  area.setSelectionRange(offset, end === -1 ? area.value.length : end);
  area.scrollTop = Math.max(0, (line - 3) * (area.scrollHeight / area.value.split('\n').length));
}
