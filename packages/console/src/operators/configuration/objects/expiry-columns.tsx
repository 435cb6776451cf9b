import type { Expiry } from '@waybill/contracts/endpoints/administration/list-expiries';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import type { SmallColumn } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';

const { secrets } = texts;

/** Whether something expires soon, when, and what it is. */
export const expiryColumns: readonly SmallColumn<Expiry>[] = [
  {
    title: secrets.state,
    cell: ({ state }) => <span className={state === 'valid' ? 'badge' : 'badge failure'}>{secrets.states[state]}</span>,
  },
  {
    title: secrets.expires,
    cell: ({ expiresAt }) =>
      expiresAt === null ? secrets.unreadable : <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
  },
  { title: secrets.kind, cell: ({ kind }) => secrets.kinds[kind] },
];
