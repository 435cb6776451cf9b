import { useMutation } from '@tanstack/react-query';
import { type DryRunView, dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Failure } from '../../frame/page-frame.tsx';
import { Panel } from '../../frame/panel.tsx';
import { texts } from '../../texts/texts.ts';
import { readSettings } from '../text/settings-text.ts';
import { DryRunResult } from './dry-run-result.tsx';

const { configuration } = texts;

interface Question {
  readonly virtualFileSystem: string;
  readonly path: string;
  readonly size: string;
  readonly variables: string;
}

/** A stored workflow, or a text that is edited. */
type Subject =
  | { readonly workflow: string }
  | {
      readonly template: string;
      /** Is called when the text is tried, and when a trial of a text was refused. */
      readonly noteTrial: (refused?: { readonly failure: Error; readonly text: string }) => void;
      /** Why the text was refused, if that is the newest that is known of it. */
      readonly children: ReactNode;
    };

/** Shows what a workflow would do for a file, step by step. What is wrong with a text is said by its editor. */
export function DryRunPanel(subject: Subject) {
  const [question, setQuestion] = useState<Question>({ virtualFileSystem: '', path: '', size: '', variables: '' });
  const draft = 'template' in subject ? subject : undefined;
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (asked: WhatToRun) => dryRun(asked, question),
    onMutate: () => draft?.noteTrial(),
    onError: (failure, { template: text = '' }) => draft?.noteTrial({ failure, text }),
  });
  const field = (name: keyof Question, label: string, hasLines = false) => (
    <TextInput
      label={label}
      value={question[name]}
      onChange={(value) => setQuestion({ ...question, [name]: value })}
      isRequired={false}
      hasLines={hasLines}
    />
  );
  return (
    <Panel title={draft ? configuration.tryDraft : configuration.dryRun} isBroad>
      <form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault();
          mutate('template' in subject ? { template: subject.template } : { workflow: subject.workflow });
        }}
      >
        <p className="quiet">{draft ? configuration.tryDraftHint : configuration.dryRunHint}</p>
        {field('virtualFileSystem', configuration.dryRunVfs)}
        {field('path', configuration.dryRunPath)}
        {field('size', configuration.dryRunSize)}
        {field('variables', configuration.dryRunVariables, true)}
        <div className="buttons">
          <BusyButton className="button" type="submit" isBusy={isPending}>
            {draft ? configuration.tryDraft : configuration.dryRunStart}
          </BusyButton>
        </div>
      </form>
      {draft === undefined ? <Failure error={error} /> : draft.children}
      {data !== undefined && <DryRunResult {...data} />}
    </Panel>
  );
}

/** The stored workflow or the text that a run was of. */
interface WhatToRun {
  readonly workflow?: string;
  readonly template?: string;
}

/** @throws RequestFailure; Error if the variables or the size cannot be read */
async function dryRun(asked: WhatToRun, { virtualFileSystem, path, size, variables }: Question): Promise<DryRunView> {
  const read = readSettings(variables.trim() === '' ? '{}' : variables);
  if ('error' in read) throw new Error(read.error);
  if (!/^\d*$/u.test(size.trim())) throw new Error(configuration.notANumber);
  const body = {
    ...asked,
    ...(virtualFileSystem.trim() !== '' && { virtualFileSystem: virtualFileSystem.trim() }),
    ...(path.trim() !== '' && { path: path.trim() }),
    ...(size.trim() !== '' && { size: Number(size) }),
    variables: z.record(z.string(), z.unknown()).parse(read.value),
  };
  return await callEndpoint(dryRunWorkflowEndpoint, { body });
}
