import type { RequestFailure } from '../../api/request-failure.ts';
import { texts } from '../../texts/texts.ts';
import { lineOf } from './settings-text.ts';

const { configuration } = texts;

/** Why settings were refused, with the line of each wrong one. */
export function FieldErrors(props: {
  readonly failure: Error;
  readonly text: string;
  readonly fields: RequestFailure['fields'];
}) {
  const { failure, text, fields } = props;
  if (fields.length === 0)
    return (
      <p className="failure" role="alert">
        {failure.message}
      </p>
    );
  return (
    <div className="failure" role="alert">
      <p>{configuration.refused}</p>
      <ul>
        {fields.map(({ field, message }) => {
          const line = lineOf(text, field);
          return (
            <li key={`${field} ${message}`}>
              {line !== undefined && `${configuration.line(line)}: `}
              <bdi>{field}</bdi> {message}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
