import type { ReactNode } from 'react';
import { RequestFailure } from '../../api/request-failure.ts';
import { texts } from '../../texts/texts.ts';
import type { StoredObject } from '../stored/objects.ts';
import { settingsText, withoutSource } from '../text/settings-text.ts';

const { configuration } = texts;

/** With a change that was refused because of its version: what somebody else has stored meanwhile. */
export function explainConflict(failure: Error, current: StoredObject | undefined): ReactNode {
  const isConflict = failure instanceof RequestFailure && failure.code === 'precondition_failed';
  if (!isConflict || current === undefined) return undefined;
  return (
    <>
      <p>{configuration.conflict}</p>
      <StoredSettings object={current.object} name={configuration.stored} />
    </>
  );
}

/** The settings of an object. */
export function StoredSettings({ object, name }: Pick<StoredObject, 'object'> & { readonly name: string }) {
  return (
    <pre className="note" role="region" tabIndex={0} aria-label={name}>
      {settingsText(withoutSource(object))}
    </pre>
  );
}
