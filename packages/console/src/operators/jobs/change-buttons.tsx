import { useState } from 'react';
import { Button } from 'react-aria-components';
import { focusTitleIfLost } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { type ChangeOperation, changeOperations, type ChangeTarget } from './change-jobs.ts';

/** Buttons that abort, resume and resubmit jobs, each after a look at what it would change. */
export function ChangeButtons({
  target,
  offered = changeOperations,
}: {
  readonly target: ChangeTarget;
  /** Default: all. */
  readonly offered?: readonly ChangeOperation[];
}) {
  // The jobs stay those of the moment at which the dialog was opened.
  const [asked, setAsked] = useState<{ operation: ChangeOperation; target: ChangeTarget }>();
  const close = (): void => {
    setAsked(undefined);
    // What was done may not be possible any more: its button is gone.
    focusTitleIfLost();
  };
  return (
    <>
      {offered.map((operation) => (
        <Button key={operation} className="button" onPress={() => setAsked({ operation, target })}>
          {texts.jobs[operation]}
        </Button>
      ))}
      {asked !== undefined && <ChangeDialog {...asked} onClose={close} />}
    </>
  );
}
