import { useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { PanelDialog } from '../../page-kit/components/panel-dialog.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';

/** Texts of so many characters fit in the columns that show them. */
const fits = 20;

/** A text of any length in a column. One that may be cut off is a button that shows the whole of it, also without a mouse. */
export function LongText({ title, text }: { readonly title: string; readonly text: string }) {
  const open = useKeptDialog();
  if (text.length <= fits) return <OutsideText text={text} />;
  const show = (): void =>
    open(({ onClose }) => (
      <PanelDialog title={title} onClose={onClose}>
        <p className="whole-text">
          <OutsideText text={text} />
        </p>
      </PanelDialog>
    ));
  return (
    <button type="button" className="long-text" title={visibleText(text)} onClick={show}>
      <OutsideText text={text} />
    </button>
  );
}
