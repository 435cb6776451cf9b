import { type Bar, Bars, formatBarTime } from '../../lists/bars.tsx';
import { texts } from '../../texts/texts.ts';
import type { ChartSpan } from './chart-span.ts';

const { now } = texts;

/** Figures over time as bars, and as a table. */
export function BarChart(props: {
  readonly name: string;
  readonly caption: string;
  readonly unit: ChartSpan['unit'];
  readonly bars: readonly Bar[];
  /** How a figure is written. */
  readonly format: (value: number) => string;
}) {
  const { name, caption, unit, bars, format } = props;
  return (
    <figure className="chart">
      <figcaption>{caption}</figcaption>
      <Bars bars={bars} format={format} />
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
                <td>{formatBarTime(time)}</td>
                <td className="number">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
