import { Button } from 'react-aria-components';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { texts } from '../../texts/texts.ts';
import type { Draft } from './use-draft.ts';

const { configuration } = texts;

/** The buttons of an editor. Nothing is saved before it was looked at. */
export function EditorButtons(
  props: Pick<Draft, 'reviewed' | 'isBusy'> & {
    /** The name of the button that saves. */
    readonly action: string;
    /** Default: false. It cannot be saved any more. */
    readonly isLost?: boolean;
    readonly onCancel: () => void;
  },
) {
  const { action, isLost = false, onCancel, reviewed, isBusy } = props;
  return (
    <div className="buttons">
      <Button className="button" onPress={onCancel}>
        {configuration.cancel}
      </Button>
      <BusyButton
        className="button primary"
        type="submit"
        isBusy={isBusy}
        isDisabled={isLost || reviewed?.changes.length === 0}
      >
        {reviewed === undefined ? configuration.review : action}
      </BusyButton>
    </div>
  );
}
