import { Component, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { OutsideText } from '../outside-text/outside-text.tsx';
import { texts } from '../texts.ts';

/** A failure in words, which a screen reader says at once. */
export function Failure({ children }: { readonly children: string }) {
  return (
    <p className="failure" role="alert">
      <OutsideText text={children} />
    </p>
  );
}

/** Why what a form has sent was refused: it is gone as soon as something in the form is corrected. */
export function FormFailure({ children }: { readonly children: string }) {
  const place = useRef<HTMLParagraphElement>(null);
  const [isCorrected, setCorrected] = useState(false);
  useEffect(() => {
    const form = place.current?.closest('form');
    const correct = (): void => setCorrected(true);
    form?.addEventListener('input', correct);
    return () => form?.removeEventListener('input', correct);
  }, []);
  if (isCorrected) return null;
  return (
    <p ref={place} className="failure" role="alert">
      <OutsideText text={children} />
    </p>
  );
}

interface LazyPartProps {
  readonly children: ReactNode;
  /** If the part is a whole page: the title of what stands instead, and where links to the content lead. */
  readonly page?: { readonly title: string; readonly id: string };
  /** Nothing stands in its place while it is loaded: the page is complete without it. */
  readonly isOptional?: boolean;
}

/**
 * A part of a page whose script is loaded when it is needed. It may not arrive: the network was lost, or an update of the platform has
 * removed it. Browsers do not ask for it again before the page is loaded again, which is up to the user: uploads may run, and
 * something may have been typed beside it.
 */
export class LazyPart extends Component<LazyPartProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { children, page, isOptional = false } = this.props;
    if (!this.state.hasFailed)
      return <Suspense fallback={!isOptional && <p role="status">{texts.loading}</p>}>{children}</Suspense>;
    const part = (
      <div role="alert">
        <p className="failure">{texts.partNotLoaded}</p>
        <Button className="button" onPress={() => location.reload()}>
          {texts.loadAgain}
        </Button>
      </div>
    );
    if (page === undefined) return part;
    return (
      <main className="page-part" id={page.id} tabIndex={-1}>
        <h1>{page.title}</h1>
        {part}
      </main>
    );
  }
}
