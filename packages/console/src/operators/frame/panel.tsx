import { type ReactNode, useId } from 'react';
import { Reading } from '../../page-kit/components/reading.tsx';
import { isOld } from '../api/refusals.ts';
import { texts } from '../texts/texts.ts';
import { Failure } from './page-frame.tsx';

/** A part of a page with a heading. It says why its content could not be read, and marks what could not be read again. */
export function Panel(props: {
  readonly title: string;
  /** What to know about it, in a sentence: the order of a list, for example. */
  readonly hint?: string;
  readonly error?: Error | null;
  /** Whether its content was read before; until then, it says that this is being read. Absent: its content is not read. */
  readonly isRead?: boolean;
  /** Takes the whole width of the page. */
  readonly isBroad?: boolean;
  /** What can be done, beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, hint, error = null, isRead, isBroad = false, actions, children } = props;
  const id = useId();
  return (
    <section className={isBroad ? 'panel broad' : 'panel'} aria-labelledby={id}>
      <div className="panel-title">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {isOld(error, isRead) && <span className="badge old">{texts.old}</span>}
        {actions}
      </div>
      {hint !== undefined && <p className="quiet">{hint}</p>}
      {isRead === false ? <Reading error={error} /> : <Failure error={error} isRead={isRead} />}
      {children}
    </section>
  );
}
