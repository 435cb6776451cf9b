import type { ReactNode } from 'react';
import { useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { PanelDialog } from '../../page-kit/components/panel-dialog.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { texts } from '../texts/texts.ts';

/** Texts of so many characters fit in the columns that show them. */
const fits = 20;

/** A text of any length in a column. One that may be cut off is a button that shows the whole of it, also without a mouse. */
export function LongText({ title, text }: { readonly title: string; readonly text: string }) {
  const show = useWhole(title, text);
  if (text.length <= fits) return <OutsideText text={text} />;
  return (
    <button type="button" className="long-text" title={visibleText(text)} onClick={show}>
      <OutsideText text={text} />
    </button>
  );
}

/** A link, or other content of any length in a column, and beside one that may be cut off a button that shows the whole of it as a text. */
export function WithWhole(props: {
  readonly title: string;
  readonly text: string;
  /** Texts of so many characters fit in the column. Default: 20. */
  readonly fits?: number;
  readonly children: ReactNode;
}) {
  const { title, text, fits: fitting = fits, children } = props;
  const show = useWhole(title, text);
  if (text.length <= fitting) return children;
  return (
    <span className="with-whole">
      <span className="cell" title={visibleText(text)}>
        {children}
      </span>
      <button type="button" className="long-text" aria-label={texts.showWhole(title)} onClick={show}>
        …
      </button>
    </span>
  );
}

function useWhole(title: string, text: string): () => void {
  const open = useKeptDialog();
  return () =>
    open(({ onClose }) => (
      <PanelDialog title={title} onClose={onClose}>
        <p className="whole-text">
          <OutsideText text={text} />
        </p>
      </PanelDialog>
    ));
}
