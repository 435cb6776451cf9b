import { number, plural } from '../../numbers.ts';

/** Quantities with their units, in English. */
export const units = {
  bytes: (count: number) => plural(count, { one: '1 byte', other: `${number(count)} bytes` }),
  byteUnits: { kibi: 'KiB', mebi: 'MiB', gibi: 'GiB', tebi: 'TiB', pebi: 'PiB' },
  milliseconds: (count: number) => `${number(count)} ms`,
  seconds: (count: number) => `${number(count)} s`,
  minutes: (count: number) => `${number(count)} min`,
  hours: (hours: number, minutes: number) => `${number(hours)} h ${number(minutes)} min`,
} as const;
