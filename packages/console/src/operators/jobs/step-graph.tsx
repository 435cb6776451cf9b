import type { ItemView, StepView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { Button } from 'react-aria-components';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { language } from '../../page-kit/messages/language.ts';
import { texts } from '../texts/texts.ts';
import { StepStatusBadge } from './status-badge.tsx';
import { Values } from './values.tsx';

const { jobs } = texts;

/** Items of a step that a response has at most, as in the interface. */
const itemsInResponse = 1_000;

interface StepGraphProps {
  readonly steps: readonly StepView[];
  /** Number of the first item that is shown of each step with items. */
  readonly itemsFrom: number;
  readonly onItemsFrom: (first: number) => void;
}

/** The started steps as a list from top to bottom, those of a sub-workflow further in. Each opens to show its details. */
export function StepGraph({ steps, ...paging }: StepGraphProps) {
  return (
    <section aria-label={jobs.steps}>
      <h2>{jobs.steps}</h2>
      {steps.length === 0 && <p className="quiet">{jobs.noSteps}</p>}
      <ol className="steps">
        {steps.map((step) => (
          <li
            key={step.name}
            className={`step depth-${Math.min(step.name.split('/').length, 4)}`}
            data-status={step.status}
          >
            <details open={step.status === 'ERROR' || undefined}>
              <summary>
                <strong>{step.name}</strong> <span className="quiet">{step.task}</span>{' '}
                <StepStatusBadge status={step.status} /> <Timing {...step} />
              </summary>
              <Details {...step} />
              {step.items !== undefined && <Items step={step} items={step.items} {...paging} />}
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Timing({ attempts, begunAt, durationMs }: Pick<StepView, 'attempts' | 'begunAt' | 'durationMs'>) {
  const parts = [
    durationMs === undefined ? '' : `${durationMs.toLocaleString(language)} ms`,
    attempts > 1 ? jobs.attempts(attempts) : '',
  ];
  return (
    <span className="quiet">
      {begunAt !== undefined && <time dateTime={begunAt}>{formatTime(begunAt)}</time>}
      {parts.filter((part) => part !== '').map((part) => ` · ${part}`)}
    </span>
  );
}

function Details({ inputs, outputs, error, log }: Pick<StepView, 'inputs' | 'outputs' | 'error' | 'log'>) {
  return (
    <>
      {error !== '' && (
        <p className="failure">
          {jobs.error}: <bdi>{error}</bdi>
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
                <time dateTime={at}>{jobs.timeOfDay(at.slice(11, 23))}</time> #{attempt} <bdi>{message}</bdi>
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

function Items(
  props: Omit<StepGraphProps, 'steps'> & { readonly step: StepView; readonly items: readonly ItemView[] },
) {
  const { step, items, itemsFrom, onItemsFrom } = props;
  const counts = Object.entries(step.itemCounts ?? {});
  return (
    <div className="values">
      <p className="values-title">
        {jobs.itemCounts(counts.map(([status, count]) => `${count} ${status}`).join(', '))}
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
