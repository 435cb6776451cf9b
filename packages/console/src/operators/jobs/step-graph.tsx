import type { ItemView, JobDetailView, PlannedStepView, StepView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { Button } from 'react-aria-components';
import { formatExactTime, formatLogTime, formatMilliseconds } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts/texts.ts';
import { isOver } from './is-over.ts';
import { StepStatusBadge } from './status-badge.tsx';
import { Values } from './values.tsx';

const { jobs } = texts;

/** Items of a step that a response has at most, as in the interface. */
const itemsInResponse = 1_000;

interface StepGraphProps {
  readonly job: Pick<JobDetailView, 'steps' | 'plan' | 'status'>;
  /** Number of the first item that is shown of each step with items. */
  readonly itemsFrom: number;
  readonly onItemsFrom: (first: number) => void;
}

/**
 * The steps of a job as a list from top to bottom, those of a sub-workflow further in. Those that have started open to show their
 * details; the others are what may still come, or what has not run.
 */
export function StepGraph({ job, ...paging }: StepGraphProps) {
  const { steps, plan = [], status } = job;
  const begun = new Map(steps.map((step) => [step.name, step]));
  const planned = plan.length > 0 ? plan : steps.map(({ name, task }) => ({ ...unplanned, name, task }));
  return (
    <section aria-label={jobs.steps}>
      <h2>{jobs.steps}</h2>
      {steps.length === 0 && <p className="quiet">{jobs.noSteps}</p>}
      <ol className="steps">
        {planned.map((one) => {
          const step = begun.get(one.name);
          return (
            <li
              key={one.name}
              className={`step depth-${Math.min(one.name.split('/').length, 4)}`}
              data-status={step?.status ?? 'PLANNED'}
            >
              {step === undefined ? (
                <>
                  <StepName {...one} /> <span className="badge">{isOver(status) ? jobs.notRun : jobs.notStarted}</span>
                </>
              ) : (
                <details open={step.status === 'ERROR' || undefined}>
                  <summary>
                    <StepName {...one} /> <StepStatusBadge status={step.status} /> <Timing {...step} />
                  </summary>
                  <Details {...step} />
                  {step.items !== undefined && <Items step={step} items={step.items} {...paging} />}
                </details>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** What is assumed of a step of a platform that does not tell the plan. */
const unplanned = { section: 'steps', conditional: false, foreach: false } as const;

function StepName({ name, task, section, conditional, foreach }: PlannedStepView) {
  const marks = [jobs.section[section], conditional ? jobs.conditional : '', foreach ? jobs.foreach : ''];
  const details = [task, ...marks].filter((text) => text !== '').join(' · ');
  return (
    <>
      <strong>
        <OutsideText text={name} />
      </strong>{' '}
      <span className="quiet">
        <OutsideText text={details} />
      </span>
    </>
  );
}

function Timing({ attempts, begunAt, durationMs }: Pick<StepView, 'attempts' | 'begunAt' | 'durationMs'>) {
  const parts = [
    durationMs === undefined ? '' : formatMilliseconds(durationMs),
    attempts > 1 ? jobs.attempts(attempts) : '',
  ];
  return (
    <span className="quiet">
      {begunAt !== undefined && <time dateTime={begunAt}>{formatExactTime(begunAt)}</time>}
      {parts.filter((part) => part !== '').map((part) => ` · ${part}`)}
    </span>
  );
}

function Details({ inputs, outputs, error, log }: Pick<StepView, 'inputs' | 'outputs' | 'error' | 'log'>) {
  return (
    <>
      {error !== '' && (
        <p className="failure">
          {jobs.error}: <OutsideText text={error} />
        </p>
      )}
      <Values title={jobs.inputs} values={inputs} />
      <Values title={jobs.outputs} values={outputs} />
      {log.length > 0 && (
        <div className="values">
          <p className="values-title">{jobs.log}</p>
          <ol className="log">
            {log.map(({ at, attempt, message }, index) => (
              <li key={index}>
                <time dateTime={at}>{formatLogTime(at)}</time> #{attempt} <OutsideText text={message} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

function Items(props: Omit<StepGraphProps, 'job'> & { readonly step: StepView; readonly items: readonly ItemView[] }) {
  const { step, items, itemsFrom, onItemsFrom } = props;
  const words = new Map<string, string>(Object.entries(jobs.stepStatus));
  const counts = Object.entries(step.itemCounts ?? {});
  return (
    <div className="values">
      <p className="values-title">
        {jobs.itemCounts(counts.map(([status, count]) => `${count} ${words.get(status) ?? status}`).join(', '))}
      </p>
      <ul className="items">
        {items.map((item) => (
          <li key={item.index}>
            <details>
              <summary>
                {jobs.item(item.index)} <StepStatusBadge status={item.status} /> <Timing {...item} />
              </summary>
              <Details {...item} />
            </details>
          </li>
        ))}
      </ul>
      {items.length >= itemsInResponse && (
        <Button className="button" onPress={() => onItemsFrom(itemsFrom + itemsInResponse)}>
          {jobs.nextItems}
        </Button>
      )}
    </div>
  );
}
