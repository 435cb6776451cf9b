import { texts } from '../../texts/texts.ts';

const { now } = texts;

/** A bar: what was counted in the hour that begins at `time`. */
interface Bar {
  readonly time: Date;
  readonly count: number;
}

const hourForm = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** Sizes in the units of the picture. */
const [barWidth, gap, height] = [10, 3, 60];

/** Counts by hour as bars, and as a table for those who do not see them. */
export function BarChart({ name, bars }: { readonly name: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const total = bars.reduce((sum, { count }) => sum + count, 0).toLocaleString('en');
  return (
    <figure className="chart">
      <figcaption>{now.chartOf(name, total)}</figcaption>
      <svg viewBox={`0 0 ${bars.length * (barWidth + gap)} ${height}`} aria-hidden="true" focusable="false">
        {bars.map(({ time, count }, index) => {
          const tall = count === 0 ? 1 : Math.max(2, (count / most) * height);
          return (
            <rect key={index} x={index * (barWidth + gap)} y={height - tall} width={barWidth} height={tall}>
              <title>{now.hourCount(hourForm.format(time), count)}</title>
            </rect>
          );
        })}
      </svg>
      <details>
        <summary aria-label={`${now.asTable}: ${name}`}>{now.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th>{now.hour}</th>
              <th className="number">{name}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ time, count }) => (
              <tr key={time.getTime()}>
                <td>{hourForm.format(time)}</td>
                <td className="number">{count.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
