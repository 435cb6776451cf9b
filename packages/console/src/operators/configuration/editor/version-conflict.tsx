import { Button } from 'react-aria-components';
import { RequestFailure } from '../../api/request-failure.ts';
import { texts } from '../../texts/texts.ts';
import { differencesBetween } from '../changes/differences-between.ts';
import { Differences } from '../changes/differences.tsx';
import type { StoredObject } from '../stored/objects.ts';
import { readSettings, settingsText, withoutSource } from '../text/settings-text.ts';

const { configuration } = texts;

/** The version of an object that is edited, and what is stored by now. */
export interface EditedVersion {
  readonly edited: StoredObject;
  /** Undefined: it was deleted. */
  readonly current: StoredObject | undefined;
  /** Edits another version from now on. */
  readonly onEdit: (version: StoredObject) => void;
}

/**
 * With a change that was refused because of its version: what somebody else has stored meanwhile, how the draft differs from it, and a
 * button that goes on from there with the draft.
 */
export function VersionConflict(props: {
  readonly failure: Error;
  /** The draft. */
  readonly text: string;
  readonly version: EditedVersion;
  readonly onGoOn: () => void;
}) {
  const { failure, text, version, onGoOn } = props;
  const { edited, current, onEdit } = version;
  const isConflict = failure instanceof RequestFailure && failure.code === 'precondition_failed';
  if (!isConflict || current === undefined || current.etag === edited.etag) return null;
  const draft = readSettings(text);
  return (
    <>
      <p>{configuration.conflict}</p>
      <StoredSettings object={current.object} name={configuration.stored} />
      {'value' in draft && (
        <>
          <h2>{configuration.conflictDifferences}</h2>
          <Differences
            label={configuration.conflictDifferences}
            differences={differencesBetween(withoutSource(current.object), draft.value)}
          />
        </>
      )}
      <div className="buttons">
        <Button
          className="button"
          onPress={() => {
            onEdit(current);
            onGoOn();
          }}
        >
          {configuration.goOn}
        </Button>
      </div>
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
