import type { ReactNode } from 'react';
import { OutsideText } from '../outside-text/outside-text.tsx';

/** Names and values, one below the other. A fact without a value is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== '' && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? <OutsideText text={value} /> : value}</dd>
          </div>
        ))}
    </dl>
  );
}
