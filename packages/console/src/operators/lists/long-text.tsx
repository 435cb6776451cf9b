import { useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { PanelDialog } from '../../page-kit/components/panel-dialog.tsx';

/** Texts of so many characters fit in the columns that show them. */
const fits = 20;

/** A text of any length in a column. One that may be cut off is a button that shows the whole of it, also without a mouse. */
export function LongText({ title, text }: { readonly title: string; readonly text: string }) {
  const open = useKeptDialog();
  if (text.length <= fits) return <bdi>{text}</bdi>;
  const show = (): void =>
    open(({ onClose }) => (
      <PanelDialog title={title} onClose={onClose}>
        <p className="whole-text">
          <bdi>{text}</bdi>
        </p>
      </PanelDialog>
    ));
  return (
    <button type="button" className="long-text" title={text} onClick={show}>
      <bdi>{text}</bdi>
    </button>
  );
}
