import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';

/** Named values, such as the inputs of a step; nothing if there are none. */
export function Values({
  title,
  values,
}: {
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
}) {
  const entries = Object.entries(values);
  return (
    entries.length > 0 && (
      <div className="values">
        <p className="values-title">{title}</p>
        <dl>
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>
                <OutsideText text={name} />
              </dt>
              <dd>
                <OutsideText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    )
  );
}
