import type { DryRunView } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { StepStatusBadge } from '../../jobs/status-badge.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { settingsText } from '../text/settings-text.ts';

const { configuration, jobs } = texts;

/** What a workflow would do, step by step. */
export function DryRunResult({ status, revision, message, steps, outputs }: DryRunView) {
  return (
    <>
      <p role="status">
        <strong className={status === 'COMPLETED' ? 'good' : 'failure'}>
          {configuration.dryRunEnd(jobs.jobStatus[status], revision)}
        </strong>{' '}
        <OutsideText text={message} />
      </p>
      <SmallTable
        label={configuration.dryRunSteps}
        rows={steps}
        empty={configuration.noneOf(configuration.dryRunSteps.toLowerCase())}
        keyOf={({ name, section }) => `${section} ${name}`}
        columns={[
          { title: configuration.step, cell: ({ name }) => <OutsideText text={name} /> },
          { title: configuration.task, cell: ({ task, does }) => <span title={does}>{task}</span> },
          { title: configuration.status, cell: statusOf },
          {
            title: configuration.condition,
            cell: ({ condition }) => condition !== undefined && <OutsideText text={String(condition)} />,
          },
          { title: configuration.parameters, cell: ({ with: parameters }) => <Values values={parameters} /> },
          { title: configuration.outputs, cell: Outputs },
        ]}
      />
      {Object.keys(outputs).length > 0 && <Values values={outputs} />}
    </>
  );
}

function statusOf({ status, error, items, dependsOn }: DryRunView['steps'][number]) {
  return (
    <>
      {/* A dry run does not tell whether the job goes on. */}
      <StepStatusBadge status={status === 'FAILED' ? 'ERROR' : status} />
      {items !== undefined && ` · ${configuration.items(items.length)}`} {error !== '' && <OutsideText text={error} />}
      {dependsOn !== undefined && (
        <div className="quiet">
          <OutsideText text={configuration.dependsOn(dependsOn.join(', '))} />
        </div>
      )}
    </>
  );
}

/** Outputs, and whether they are placeholders. */
function Outputs({ outputs, outputsFrom, items = [] }: DryRunView['steps'][number]) {
  const isPlaceholder = outputsFrom === 'placeholder' || items.some((item) => item.outputsFrom === 'placeholder');
  return (
    <>
      {isPlaceholder && <div className="quiet">{configuration.placeholders}</div>}
      <Values values={outputs} />
    </>
  );
}

/** Values by name. What is long is cut: the whole is for programs. */
function Values({ values }: { readonly values: Readonly<Record<string, unknown>> | undefined }) {
  if (values === undefined || Object.keys(values).length === 0) return null;
  return <pre className="values">{settingsText(values).slice(0, 4_000)}</pre>;
}
