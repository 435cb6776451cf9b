import { expect, it } from 'vitest';
import { axisLabels } from './axis-labels.ts';

/** The beginnings of bars, the first at an hour of 26 November in the zone of this computer. */
function bars(count: number, hour: number, stepHours = 1): number[] {
  const first = new Date(2026, 10, 26, hour).getTime();
  return Array.from({ length: count }, (_, index) => first + index * stepHours * 3_600_000);
}

it.each([
  ['hours from an hour of the evening on', bars(49, 23), ['Nov 26, 23:00', 'Nov 27, 23:00', 'Nov 28, 23:00']],
  ['hours from midnight on', bars(49, 0), ['Nov 26', 'Nov 27', 'Nov 28']],
  ['hours whose middle is no midnight', bars(61, 12), ['Nov 26, 12:00', 'Nov 27, 18:00', 'Nov 29, 00:00']],
  ['days', bars(5, 0, 24), ['Nov 26', 'Nov 28', 'Nov 30']],
  ['less than one and a half days', bars(24, 9), ['09:00', '20:00', '08:00']],
  ['one bar', bars(1, 9), ['09:00']],
  ['no bars', [], []],
])('the axis of %s', (_what, times, labels) => {
  expect(axisLabels(times)).toEqual(labels);
});
