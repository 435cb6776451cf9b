import type { JobStatus } from '@waybill/contracts/values/job-status';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { focusTitleIfLost } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { type ChangeOperation, changeOperations, type ChangeTarget, operationsFor } from './change-jobs.ts';

/** Buttons that abort, resume and resubmit jobs, each after a look at what it would change. */
export function ChangeButtons({
  target,
  status,
}: {
  readonly target: ChangeTarget;
  /** Of the one job, which decides what is offered. Default: all is. */
  readonly status?: JobStatus;
}) {
  const offered = status === undefined ? changeOperations : operationsFor(status);
  // The jobs stay those of the moment at which the dialog was opened.
  const [asked, setAsked] = useState<{ operation: ChangeOperation; target: ChangeTarget; abortsFirst: boolean }>();
  const close = (): void => {
    setAsked(undefined);
    // What was done may not be possible any more: its button is gone.
    focusTitleIfLost();
  };
  return (
    <>
      {offered.map((operation) => (
        <Button
          key={operation}
          className="button"
          // Nothing is lost with a job in error: to abort it is what a user wants who resubmits it.
          onPress={() => setAsked({ operation, target, abortsFirst: status === 'ERROR' })}
        >
          {texts.jobs[operation]}
        </Button>
      ))}
      {asked !== undefined && <ChangeDialog {...asked} onClose={close} />}
    </>
  );
}
