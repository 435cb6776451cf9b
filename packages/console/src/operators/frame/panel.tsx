import { type ReactNode, useId } from 'react';
import { Reading } from '../../page-kit/components/reading.tsx';
import { Failure } from './page-frame.tsx';

/** A part of a page with a heading. A failure is shown above what was read last. */
export function Panel(props: {
  readonly title: string;
  /** What to know about it, in a sentence: the order of a list, for example. */
  readonly hint?: string;
  readonly error?: Error | null;
  /** Default: true. Until then, it says that it is being read, or why it could not be. */
  readonly isRead?: boolean;
  /** Takes the whole width of the page. */
  readonly isBroad?: boolean;
  readonly children: ReactNode;
}) {
  const { title, hint, error = null, isRead = true, isBroad = false, children } = props;
  const id = useId();
  return (
    <section className={isBroad ? 'panel broad' : 'panel'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p className="quiet">{hint}</p>}
      {isRead ? <Failure error={error} /> : <Reading error={error} />}
      {children}
    </section>
  );
}
