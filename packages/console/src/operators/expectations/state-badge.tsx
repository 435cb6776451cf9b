import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { texts } from '../texts/texts.ts';
import { isOpen } from './expectation-filters.ts';

/** What has come of an expectation: a word, and a colour for those who see it. */
export function ExpectationBadge({ state }: Pick<ExpectationView, 'state'>) {
  const settled = state === 'met' ? 'COMPLETED' : 'pending';
  return (
    <span className="badge" data-status={isOpen({ state }) ? 'ERROR' : settled}>
      {texts.expectations.states[state]}
    </span>
  );
}
