import { language } from '../../texts/language.ts';
import { texts } from '../texts/texts.ts';
import { axisLabels } from './axis-labels.ts';

const { charts } = texts;

/** A bar: the figure of the unit of time that begins at `time`, in milliseconds since 1970. */
export interface Bar {
  readonly time: number;
  readonly value: number;
}

const point = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const pointForm = new Intl.DateTimeFormat(language(), { ...point, timeZoneName: 'short' });

/** Sizes in the units of the picture, which is stretched. */
const [width, height] = [600, 60];

/** The beginning of a bar with its day and zone: `Mar 2, 08:00 UTC`. */
export function formatBarTime(time: number): string {
  return pointForm.format(time);
}

/** Figures over time as bars, with a scale, an axis of time and the highest figure. Other parts of the chart have all figures as text. */
export function Bars({ bars, format }: { readonly bars: readonly Bar[]; readonly format: (value: number) => string }) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const step = width / bars.length;
  const highest = bars.findLast(({ value }) => value === most);
  return (
    <>
      <div className="bars" aria-hidden="true">
        <div className="scale">
          <span>{format(most)}</span>
          <span>{format(0)}</span>
        </div>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" focusable="false">
          {bars.map(({ time, value }, index) => {
            const tall = value === 0 ? 1 : Math.max(2, (value / most) * height);
            return (
              <rect key={time} x={index * step} y={height - tall} width={step * 0.77} height={tall}>
                <title>{charts.valueAt(formatBarTime(time), format(value))}</title>
              </rect>
            );
          })}
        </svg>
        <div className="axis">
          {axisLabels(bars.map(({ time }) => time)).map((label, index) => (
            <span key={index}>{label}</span>
          ))}
        </div>
      </div>
      {highest !== undefined && most > 0 && (
        <p className="quiet">{charts.highest(format(most), formatBarTime(highest.time))}</p>
      )}
    </>
  );
}
