import { language } from '../../../page-kit/messages/language.ts';
import { texts } from '../../texts/texts.ts';
import type { ChartSpan } from './chart-span.ts';

const { now } = texts;

/** A bar: the figure of the unit of time that begins at `time`, in milliseconds since 1970. */
interface Bar {
  readonly time: number;
  readonly value: number;
}

const timeForm = new Intl.DateTimeFormat(language, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** Sizes in the units of the picture. */
const [width, height] = [312, 60];

/** Figures over time as bars, and as a table for those who do not see them. */
export function BarChart(props: {
  readonly name: string;
  readonly caption: string;
  readonly unit: ChartSpan['unit'];
  readonly bars: readonly Bar[];
  /** How a figure is written; by default as a number. */
  readonly format?: (value: number) => string;
}) {
  const { name, caption, unit, bars, format = formatNumber } = props;
  const most = Math.max(...bars.map(({ value }) => value)) || 1;
  const step = width / bars.length;
  return (
    <figure className="chart">
      <figcaption>{caption}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
        {bars.map(({ time, value }, index) => {
          const tall = value === 0 ? 1 : Math.max(2, (value / most) * height);
          return (
            <rect key={time} x={index * step} y={height - tall} width={step * 0.77} height={tall}>
              <title>{now.barValue(timeForm.format(time), format(value))}</title>
            </rect>
          );
        })}
      </svg>
      <details>
        <summary aria-label={`${now.asTable}: ${name}`}>{now.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th>{now.barUnit[unit]}</th>
              <th className="number">{name}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ time, value }) => (
              <tr key={time}>
                <td>{timeForm.format(time)}</td>
                <td className="number">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function formatNumber(value: number): string {
  return value.toLocaleString(language);
}
