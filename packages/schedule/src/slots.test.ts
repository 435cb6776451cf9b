import { type JobQueueSlot as Slot, jobQueueSlotSchema } from '@waybill/contracts/configuration/job-queue-slot';
import { describe, expect, it, test } from 'vitest';
import { isOpen, nextClosing, nextOpening } from './slots.ts';

const workdays: Slot = {
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  from: '08:00',
  to: '18:00',
  timeZone: 'Europe/Berlin',
};
const nightly = (from: string, to: string, timeZone = 'Europe/Berlin'): Slot =>
  jobQueueSlotSchema.parse({ from, to, timeZone });

test.each([
  // A Friday in winter.
  ['2026-11-27T06:59:59.999Z', false],
  ['2026-11-27T07:00Z', true],
  ['2026-11-27T16:59:59.999Z', true],
  ['2026-11-27T17:00Z', false],
  ['2026-11-28T12:00Z', false],
  // A Friday in summer.
  ['2026-07-24T06:00Z', true],
  ['2026-07-24T16:00Z', false],
])('on workdays from 8 to 18 in Berlin, at %s: %s', (at, expected) => {
  expect(isOpen([workdays], new Date(at))).toBe(expected);
});

describe('a slot over midnight', () => {
  const fridayNight: Slot = { ...workdays, days: ['Friday'], from: '22:00', to: '06:00' };
  test.each([
    ['2026-11-27T20:59Z', false],
    ['2026-11-27T21:00Z', true],
    ['2026-11-28T04:59Z', true],
    ['2026-11-28T05:00Z', false],
    ['2026-11-28T21:00Z', false],
    ['2026-11-27T04:00Z', false],
  ])('belongs to the day on which it begins: %s: %s', (at, expected) => {
    expect(isOpen([fridayNight], new Date(at))).toBe(expected);
  });
});

describe('on the day on which the clock is set forward', () => {
  test.each([
    ['opens at the change', '02:30', '05:00', '2026-03-29T00:59:59Z', false],
    ['opens at the change', '02:30', '05:00', '2026-03-29T01:00Z', true],
    ['closes at the change', '01:00', '02:30', '2026-03-29T00:59:59Z', true],
    ['closes at the change', '01:00', '02:30', '2026-03-29T01:00Z', false],
    ['does not open if the clock skips it', '02:10', '02:50', '2026-03-29T01:00Z', false],
    ['is open the hours that there are', '22:00', '06:00', '2026-03-29T03:59Z', true],
    ['is open the hours that there are', '22:00', '06:00', '2026-03-29T04:00Z', false],
  ])('a slot %s (%s to %s at %s: %s)', (_, from, to, at, expected) => {
    expect(isOpen([nightly(from, to)], new Date(at))).toBe(expected);
  });
});

describe('on the day on which the clock is set back', () => {
  test.each([
    ['opens the first time', '02:30', '05:00', '2026-10-25T00:30Z', true],
    ['stays open', '02:30', '05:00', '2026-10-25T01:15Z', true],
    ['closes the last time', '01:00', '02:30', '2026-10-25T00:45Z', true],
    ['closes the last time', '01:00', '02:30', '2026-10-25T01:29Z', true],
    ['closes the last time', '01:00', '02:30', '2026-10-25T01:30Z', false],
  ])('a slot %s (%s to %s at %s: %s)', (_, from, to, at, expected) => {
    expect(isOpen([nightly(from, to)], new Date(at))).toBe(expected);
  });

  it('before midnight, a slot up to 24:00 is an hour longer', () => {
    const slots = [nightly('23:00', '24:00', 'Africa/Cairo')];
    expect(isOpen(slots, new Date('2026-10-29T20:00Z'))).toBe(true);
    expect(isOpen(slots, new Date('2026-10-29T21:59Z'))).toBe(true);
    expect(isOpen(slots, new Date('2026-10-29T22:00Z'))).toBe(false);
  });
});

describe('the next opening', () => {
  const opening = (slots: readonly Slot[], after: string) => nextOpening(slots, new Date(after))?.shown;

  it('is shown by the clock of the slot', () => {
    expect(opening([workdays], '2026-11-27T17:00Z')).toBe('2026-11-30 08:00 (Europe/Berlin)');
    expect(opening([workdays], '2026-11-27T06:00Z')).toBe('2026-11-27 08:00 (Europe/Berlin)');
    expect(nextOpening([workdays], new Date('2026-11-27T06:00Z'))?.at).toEqual(new Date('2026-11-27T07:00Z'));
  });

  it('is the earliest of all slots, whatever their zones', () => {
    expect(opening([workdays, nightly('06:30', '07:00', 'Asia/Kathmandu')], '2026-11-26T17:00Z')).toBe(
      '2026-11-27 06:30 (Asia/Kathmandu)',
    );
  });

  it('is a week later if the clock skips the slot', () => {
    const slot: Slot = { ...workdays, days: ['Sunday'], from: '02:10', to: '02:50' };
    expect(opening([slot], '2026-03-28T12:00Z')).toBe('2026-04-05 02:10 (Europe/Berlin)');
  });
});

describe('the next closing', () => {
  test.each([
    ['of a slot', [workdays], '2026-11-27T12:00Z', '2026-11-27 18:00 (Europe/Berlin)'],
    ['of none that is open', [workdays], '2026-11-27T17:00Z', undefined],
    ['over midnight', [nightly('22:00', '06:00')], '2026-11-27T21:00Z', '2026-11-28 06:00 (Europe/Berlin)'],
    [
      'of slots that follow without a gap',
      [nightly('08:00', '12:00'), nightly('12:00', '14:00'), nightly('13:00', '16:00')],
      '2026-11-27T09:00Z',
      '2026-11-27 16:00 (Europe/Berlin)',
    ],
    ['of a week that is open all the time', [nightly('00:00', '24:00')], '2026-11-27T09:00Z', undefined],
    [
      'the last time that the clock shows',
      [nightly('01:00', '02:30')],
      '2026-10-25T00:00Z',
      '2026-10-25 02:30 (Europe/Berlin)',
    ],
  ])('%s', (_, slots, after, expected) => {
    expect(nextClosing(slots, new Date(after))?.shown).toBe(expected);
  });
});
