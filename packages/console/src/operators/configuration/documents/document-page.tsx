import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  applyConfigurationEndpoint,
  planConfigurationEndpoint,
} from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { useRef, useState } from 'react';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { RequestFailure } from '../../api/request-failure.ts';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { Panel } from '../../frame/panel.tsx';
import { UnsavedGuard } from '../../frame/unsaved-guard.tsx';
import { texts } from '../../texts/texts.ts';
import { FieldErrors } from '../text/field-errors.tsx';
import { DocumentForm, type GivenDocument } from './document-form.tsx';
import { AppliedPlan, PlanChanges } from './plan-view.tsx';

const { configuration } = texts;

/** Shows what a document would change, and applies it when told to. */
export function DocumentPage() {
  const { given, isUnsaved, plan, apply, change } = useDocument();
  const { data: planned, error } = plan;
  const area = useRef<HTMLTextAreaElement>(null);
  const faults = error instanceof RequestFailure ? error.fields : [];
  return (
    <PageFrame title={configuration.document}>
      <UnsavedGuard isUnsaved={isUnsaved} draft={isUnsaved ? given.document : undefined} />
      <DocumentForm
        given={given}
        isBusy={plan.isPending || apply.isPending}
        onChange={(next) => change(next, true)}
        onLoad={(next) => change(next, false)}
        onPlan={() => plan.mutate(given)}
        {...{ faults, area }}
      />
      {error !== null && <FieldErrors failure={error} text={given.document} faults={faults} area={area} />}
      {planned !== undefined && (
        <Panel title={configuration.planTitle}>
          <PlanChanges plan={planned} isApplied={apply.data !== undefined} />
          <Failure error={apply.error} />
          {apply.data === undefined && planned.changes.length > 0 && (
            <BusyButton
              className="button primary"
              isBusy={apply.isPending}
              onPress={() => apply.mutate(planned.planId)}
            >
              {configuration.apply}
            </BusyButton>
          )}
          {apply.data !== undefined && <AppliedPlan {...apply.data} />}
        </Panel>
      )}
    </PageFrame>
  );
}

/** A document, its plan and what applying it has done. */
function useDocument() {
  const client = useQueryClient();
  const [given, setGiven] = useState<GivenDocument>({ source: '', document: '' });
  const [isTyped, setTyped] = useState(false);
  const plan = useMutation({
    mutationFn: ({ source, document }: GivenDocument) =>
      callEndpoint(planConfigurationEndpoint, { body: { document, ...(source !== '' && { source }) } }),
  });
  const apply = useMutation({
    mutationFn: async (planId: string) => {
      const applied = await callEndpoint(applyConfigurationEndpoint, { body: { planId } });
      await client.invalidateQueries({ queryKey: ['configuration'] });
      await client.invalidateQueries({ queryKey: ['exported configuration'] });
      return applied;
    },
  });
  /** What is loaded or read from a file can be loaded again; what is typed cannot. */
  const change = (next: GivenDocument, isTyping: boolean): void => {
    plan.reset();
    apply.reset();
    setGiven(next);
    setTyped(isTyping && next.document !== '');
  };
  return { given, isUnsaved: isTyped && !apply.isSuccess, plan, apply, change };
}
