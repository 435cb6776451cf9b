import type { AppliedPlanView, PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import { useEffect, useRef } from 'react';
import { texts } from '../../texts/texts.ts';
import { ChangeList } from '../changes/change-list.tsx';
import { TextList } from '../changes/text-list.tsx';

const { configuration } = texts;

/** What applying a document would change, or has changed, and what follows from it. */
export function PlanChanges({ plan, isApplied }: { readonly plan: PlanView; readonly isApplied: boolean }) {
  const { counts, changes, consequences, warnings } = plan;
  return (
    <>
      <p role="status">{changes.length === 0 ? configuration.noChanges : configuration.counts(counts)}</p>
      <TextList title={configuration.consequences} texts={consequences} />
      <TextList
        title={configuration.warnings}
        texts={warnings.map(({ place, message }) => [place, message].filter((part) => part !== '').join(': '))}
      />
      <ChangeList changes={changes} isDone={isApplied} />
    </>
  );
}

/** What applying a plan has done. */
export function AppliedPlan({ counts, foldersCreated, firstPasswords }: AppliedPlanView) {
  const result = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => result.current?.focus(), []);
  return (
    <>
      <p role="status" ref={result} tabIndex={-1}>
        <strong className="good">{configuration.applied}</strong> {configuration.counts(counts)}
      </p>
      <TextList title={configuration.foldersCreated} texts={foldersCreated} />
      <TextList title={configuration.firstPasswords} texts={firstPasswords.map(configuration.firstPassword)} />
    </>
  );
}
