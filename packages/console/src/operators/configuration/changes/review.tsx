import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { useEffect, useId, useRef } from 'react';
import { texts } from '../../texts/texts.ts';
import { PreviewedChange } from './change-list.tsx';

/** What saving would change. It has the focus when it appears: a screen reader reads it, and the button that saves follows. */
export function Review({ preview }: { readonly preview: ChangePreview }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [preview]);
  return (
    <section className="review" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {texts.configuration.reviewTitle}
      </h2>
      <PreviewedChange {...preview} />
    </section>
  );
}
