import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { z } from 'zod';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { callEndpoint } from '../api/call-endpoint.ts';
import { readSettings } from '../configuration/text/settings-text.ts';
import { DryRunResult } from '../configuration/workflows/dry-run-result.tsx';
import { Failure } from '../frame/page-frame.tsx';
import { newIdentifier } from '../jobs/change-jobs.ts';
import { texts } from '../texts/texts.ts';

const { jobs, configuration } = texts;

interface Submission {
  readonly contract: string;
  readonly action: string;
  /** YAML or JSON. */
  readonly variables: string;
}

/** Tries what a job would do, and submits it. The identifier stays the same until the job is there: a second try creates no second job. */
export function SubmissionButtons({ mayTry, ...submission }: Submission & { readonly mayTry: boolean }) {
  const { extIPID, setIdentifier, trial, submitted } = useSubmission(submission);
  const isDisabled = submission.contract === '' || submission.action === '';
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        trial.reset();
        submitted.mutate();
      }}
    >
      <TextInput
        label={jobs.submitJob.identifier}
        hint={jobs.submitJob.identifierHint}
        value={extIPID}
        onChange={setIdentifier}
      />
      <div className="buttons">
        {mayTry && (
          <BusyButton
            className="button"
            isBusy={trial.isPending}
            isDisabled={isDisabled}
            onPress={() => {
              submitted.reset();
              trial.mutate();
            }}
          >
            {configuration.dryRunStart}
          </BusyButton>
        )}
        <BusyButton className="button primary" type="submit" isBusy={submitted.isPending} isDisabled={isDisabled}>
          {jobs.submitJob.submit}
        </BusyButton>
      </div>
      <Failure error={trial.error ?? submitted.error} />
      {submitted.data !== undefined && (
        <p role="status">
          {jobs.submitJob.submitted}{' '}
          <Link href={`/jobs/${submitted.data.id}`}>{jobs.jobTitle(String(submitted.data.id))}</Link>
        </p>
      )}
      {trial.data !== undefined && <DryRunResult {...trial.data} />}
    </form>
  );
}

function useSubmission(submission: Submission) {
  const { contract, action } = submission;
  const client = useQueryClient();
  const [extIPID, setIdentifier] = useState(newIdentifier);
  const trial = useMutation({
    mutationFn: async () =>
      callEndpoint(dryRunWorkflowEndpoint, { body: { contract, action, variables: variablesOf(submission) } }),
  });
  const submitted = useMutation({
    mutationFn: async () => {
      const body = { contractName: contract, actionName: action, actionVariables: variablesOf(submission), extIPID };
      return callEndpoint(submitJobEndpoint, { body });
    },
    onSuccess: () => {
      setIdentifier(newIdentifier());
      void client.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
  return { extIPID, setIdentifier, trial, submitted };
}

/** @throws Error if the text cannot be read, or has no variables by name */
function variablesOf({ variables }: Submission): Record<string, unknown> {
  const read = readSettings(variables.trim() === '' ? '{}' : variables);
  if ('error' in read) throw new Error(read.error);
  const byName = z.record(z.string(), z.unknown()).safeParse(read.value);
  if (!byName.success) throw new Error(jobs.submitJob.notByName);
  return byName.data;
}
