import { at, type Manipulation, signAgain } from './manipulations.ts';

/** What somebody with the signing key may do, and what both verifiers find, although the kept checkpoint of 30 records holds. */
export const signedManipulations: readonly Manipulation[] = [
  [
    'a deletion after the kept checkpoint that was signed with the key of the platform',
    (log) => {
      log.records.splice(34, 1);
      signAgain(log);
    },
    ['producer_gap 35'],
  ],
  [
    'the deletion of several records of a producer, signed again',
    (log) => {
      log.records.splice(37, 1);
      log.records.splice(31, 3);
      signAgain(log);
    },
    ['producer_gap 32', 'producer_gap 35'],
  ],
  [
    'a swap of two records of a session, signed again',
    (log) => {
      log.records.splice(34, 2, at(log, 36), at(log, 35));
      signAgain(log);
    },
    ['producer_reversed 36'],
  ],
];
