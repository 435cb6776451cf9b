import { number, plural } from '../../numbers.ts';

const filesInWords = (count: number) => plural(count, { one: '1 expectation', other: `${number(count)} expectations` });

/** The texts of the page of expected files, in English. */
export const expectations = {
  title: 'Expected files',
  filters: 'Filters',
  clearFilters: 'Clear all filters',
  exactHint: 'Names are compared as a whole.',
  list: 'Expected files, newest first',
  none: 'No file is expected, or was.',
  noneMatches: 'No expected file matches the filters.',
  any: 'Any',
  state: 'State',
  states: {
    pending: 'Pending',
    met: 'Met',
    missed: 'Missed',
    late: 'Late',
    unexpected: 'Unexpected',
    acknowledged: 'Acknowledged',
  },
  partner: 'Partner',
  contract: 'Contract',
  expectation: 'Expectation',
  expected: 'Folder and pattern',
  place: (folder: string, pattern: string) => `${folder}: ${pattern}`,
  gone: 'The contract has it no longer.',
  due: 'Due',
  from: (zone: string) => `Due from (${zone})`,
  to: (zone: string) => `Due to (${zone})`,
  files: 'Files',
  lastFile: 'Last file',
  acknowledgement: 'Acknowledged',
  acknowledgedBy: (by: string, reason: string, time: string) => `${by}: ${reason} (${time})`,
  select: (contract: string, expectation: string, time: string) => `Select ${contract} / ${expectation}, due ${time}`,
  nameOf: (contract: string, expectation: string, time: string) => `${contract} / ${expectation}, due ${time}`,
  selected: (count: number) => `${filesInWords(count)} selected`,
  clearSelection: 'Clear the selection',
  acknowledge: 'Acknowledge',
  acknowledgeTitle: (count: number | undefined) =>
    count === undefined ? 'Acknowledge all open expectations that match?' : `Acknowledge ${filesInWords(count)}?`,
  matchingBound: (most: number) => `All open ones that match the filters (at most ${number(most)})`,
  onlyListed: (most: number) =>
    `At most ${number(most)} are acknowledged at once, and only those that are listed here: what matches since is left alone.`,
  tooMany: (most: number) => `More than ${number(most)} match. Narrow the filters: nothing was acknowledged.`,
  counting: (count: number) => `Finding out what would be acknowledged: ${filesInWords(count)} so far…`,
  wouldChange: (count: number) =>
    count === 0 ? 'Nothing that matches is open.' : `${filesInWords(count)} would be acknowledged.`,
  running: (done: number, count: number) => `${number(done)} of ${filesInWords(count)} so far…`,
  outcomes: (accepted: number, refused: number) =>
    `${filesInWords(accepted)} acknowledged${refused === 0 ? '.' : `, ${number(refused)} refused.`}`,
  results: 'Result for each',
  acknowledged: 'Acknowledged',
  history: 'All expected files, with what came of them',
} as const;
