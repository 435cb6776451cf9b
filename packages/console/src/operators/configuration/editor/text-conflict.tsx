import type { RefObject } from 'react';
import { texts } from '../../texts/texts.ts';
import { differencesBetween } from '../changes/differences-between.ts';
import { changesToTake, mergeChanges } from '../changes/merge-changes.ts';
import { readSettings, withoutSource } from '../text/settings-text.ts';
import { changedText } from './changed-text.ts';
import { type EditedVersion, VersionConflict } from './version-conflict.tsx';

const { configuration } = texts;

/** The conflict of a text with what somebody else has stored meanwhile. */
export function TextConflict(props: {
  /** The draft. */
  readonly text: string;
  readonly version: EditedVersion;
  readonly deleted: string | undefined;
  /** Where the text is edited. */
  readonly area: RefObject<HTMLTextAreaElement | null>;
  /** Is called with the text that has the changes of both. */
  readonly onGoOn: (text: string) => void;
}) {
  const { text, version, deleted, area, onGoOn } = props;
  const { edited, current, onEdit } = version;
  if (current?.etag === edited.etag) return null;
  if (current === undefined) return <p role="alert">{deleted ?? configuration.deletedMeanwhile}</p>;
  const stored = withoutSource(current.object);
  const draft = readSettings(text);
  if (!('value' in draft)) return <VersionConflict stored={stored} comparison={undefined} />;
  const merge = mergeChanges({ base: withoutSource(edited.object), mine: draft.value, stored });
  return (
    <VersionConflict
      stored={stored}
      comparison={{
        differences: differencesBetween(stored, draft.value),
        conflicts: merge.conflicts.map(({ path, ...values }) => ({ setting: path.join('.'), ...values })),
        onGoOn: (keeps) => {
          onEdit(current);
          onGoOn(changedText(text, changesToTake(merge, keeps)));
          // The button that had the focus is gone.
          area.current?.focus();
        },
      }}
    />
  );
}
