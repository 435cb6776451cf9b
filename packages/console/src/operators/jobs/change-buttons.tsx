import { useState } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../texts/texts.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { type ChangeOperation, changeOperations, type ChangeTarget } from './change-jobs.ts';

/** Buttons that abort, resume and resubmit jobs, each after a look at what it would change. */
export function ChangeButtons({ target }: { readonly target: ChangeTarget }) {
  // The jobs stay those of the moment at which the dialog was opened.
  const [asked, setAsked] = useState<{ operation: ChangeOperation; target: ChangeTarget }>();
  return (
    <>
      {changeOperations.map((operation) => (
        <Button key={operation} className="button" onPress={() => setAsked({ operation, target })}>
          {texts.jobs[operation]}
        </Button>
      ))}
      {asked !== undefined && <ChangeDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
