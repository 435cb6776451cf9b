import { language } from '../../texts/language.ts';

const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { month: 'short', day: 'numeric' } as const;
const timeForm = new Intl.DateTimeFormat(language(), time);
const dayForm = new Intl.DateTimeFormat(language(), day);
const dayAndTimeForm = new Intl.DateTimeFormat(language(), { ...day, ...time });

/** From this length on, the axis has days. */
const daysFromMs = 36 * 3_600_000;

/**
 * The beginnings of the first bar, the one in the middle and the last, in the zone of the browser. A day stands alone only at its
 * midnight. `times`: the beginnings of all bars, in milliseconds since 1970.
 */
export function axisLabels(times: readonly number[]): string[] {
  const labelled = [0, Math.floor((times.length - 1) / 2), times.length - 1].flatMap((index) => times[index] ?? []);
  const [first = 0, last = 0] = [labelled[0], labelled.at(-1)];
  const ofDays = labelled.every(isMidnight) ? dayForm : dayAndTimeForm;
  const form = last - first < daysFromMs ? timeForm : ofDays;
  return [...new Set(labelled)].map((one) => form.format(one));
}

function isMidnight(at: number): boolean {
  const local = new Date(at);
  return local.getHours() === 0 && local.getMinutes() === 0;
}
