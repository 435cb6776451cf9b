import { number, plural } from '../../numbers.ts';

const filesInWords = (count: number) => plural(count, { one: '1 expectation', other: `${number(count)} expectations` });

/** The texts of the page of expected files, in English. */
export const expectations = {
  title: 'Expected files',
  filters: 'Filters',
  clearFilters: 'Clear all filters',
  exactHint: 'Names are compared as a whole.',
  list: 'Expected files, newest first',
  none: 'No expected file matches the filters.',
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
  acknowledgeTitle: (count: number) => `Acknowledge ${filesInWords(count)}?`,
  running: (done: number, count: number) => `${number(done)} of ${filesInWords(count)} so far…`,
  outcomes: (accepted: number, refused: number) =>
    `${filesInWords(accepted)} acknowledged${refused === 0 ? '.' : `, ${number(refused)} refused.`}`,
  results: 'Result for each',
  acknowledged: 'Acknowledged',
  history: 'All expected files, with what came of them',
} as const;
