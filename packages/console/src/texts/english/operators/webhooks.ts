import { number, plural } from '../../numbers.ts';

const deliveriesInWords = (count: number) => plural(count, { one: '1 delivery', other: `${number(count)} deliveries` });

/** The texts of the pages of webhooks, in English. */
export const webhooks = {
  unknown: (id: string) => `There is no delivery ${id}.`,
  title: 'Webhooks',
  deliveryTitle: (id: string) => `Delivery ${id} of a webhook`,
  filters: 'Filters',
  clearFilters: 'Clear all filters',
  list: 'Deliveries, newest first',
  none: 'No delivery matches the filters.',
  number: 'Number',
  outcomeTitle: 'Outcome',
  any: 'Any',
  outcome: { delivered: 'Delivered', failed: 'Failed', pending: 'Waits for a worker' },
  response: 'Response or error',
  interrupted: 'Interrupted: it took too long, was aborted, or its worker stopped',
  status: (status: number) => `status ${status}`,
  connection: 'Connection',
  job: 'Job',
  step: 'Step',
  attempt: 'Attempt',
  attemptOf: (step: string, attempt: number) => `${step}, attempt ${attempt}`,
  webhookId: 'webhook-id',
  begun: 'Begun',
  duration: 'Duration',
  milliseconds: (count: number) => `${number(count)} ms`,
  replayOf: 'Replay of',
  replays: 'Replays',
  body: 'Body',
  noBody: 'The body is not kept: this delivery cannot be replayed.',
  facts: 'Facts',
  select: (id: number) => `Select delivery ${id}`,
  selected: (count: number) => `${deliveriesInWords(count)} selected`,
  clearSelection: 'Clear the selection',
  allMatching: (most: number) => `All that match, each webhook once (at most ${most.toLocaleString('en')})`,
  tooMany: (most: number) =>
    `More than ${most.toLocaleString('en')} webhooks match: none is replayed. Choose filters that fewer match.`,
  replayMatching: 'Replay all that match',
  replay: 'Replay',
  replayTitle: (count: number) => `Replay ${deliveriesInWords(count)}?`,
  replayEffect:
    'A worker sends the same body with the same webhook-id again, signed with the present key, to the present address of the connection.',
  ofJob: (job: number) => `job ${job}`,
  asked: 'Deliveries that are replayed',
  notShown: (count: number) => `${number(count)} more are not shown.`,
  running: (done: number, count: number) => `${number(done)} of ${deliveriesInWords(count)} so far…`,
  outcomes: (accepted: number, refused: number) =>
    `${deliveriesInWords(accepted)} replayed${refused === 0 ? '.' : `, ${refused} refused.`}`,
  results: 'Result for each delivery',
  replayedAs: (id: number) => `replayed as delivery ${id}`,
} as const;
