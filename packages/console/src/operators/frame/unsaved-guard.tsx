import { useBlocker } from '@tanstack/react-router';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { texts } from '../texts/texts.ts';
import { useUnsavedDraft } from './unsaved-drafts.ts';

/** Asks before the user leaves a page with something that was typed and not saved. */
export function UnsavedGuard(props: {
  readonly isUnsaved: boolean;
  /** What was typed, to be copied where it can be neither saved nor edited any more. */
  readonly draft?: string | undefined;
}) {
  const { isUnsaved, draft } = props;
  useUnsavedDraft(draft);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current) !== placeOf(next),
    enableBeforeUnload: true,
    disabled: !isUnsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <AppDialog
      title={texts.leaveTitle}
      action={texts.leave}
      isBusy={false}
      failure={undefined}
      isDangerous
      onAction={proceed}
      onClose={reset}
    >
      <p>{texts.leaveEffect}</p>
    </AppDialog>
  );
}

/** A page, and whether it shows the editor of a new object. Its filters change while what was typed stays. */
function placeOf({ pathname, search }: { readonly pathname: string; readonly search: object }): string {
  return JSON.stringify([pathname, 'new' in search]);
}
