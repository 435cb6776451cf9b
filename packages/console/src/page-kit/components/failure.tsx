import { Component, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
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
}

/**
 * A part of a page whose script is loaded when it is needed. After an update of the platform, the script may be gone: the
 * user is told to load the page again.
 */
export class LazyPart extends Component<LazyPartProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (this.state.hasFailed) return <Failure>{texts.partNotLoaded}</Failure>;
    return <Suspense fallback={<p role="status">{texts.loading}</p>}>{this.props.children}</Suspense>;
  }
}
