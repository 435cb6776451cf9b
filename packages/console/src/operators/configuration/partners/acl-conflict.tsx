import { texts } from '../../texts/texts.ts';
import { differencesBetween } from '../changes/differences-between.ts';
import { applyChanges, changesToTake, mergeChanges } from '../changes/merge-changes.ts';
import { type EditedVersion, VersionConflict } from '../editor/version-conflict.tsx';
import { type AclRow, rowsOf } from './acl-rows.ts';
import { type AclSettings, rowsOfSettings, settingsOfRows } from './acl-settings.ts';
import { nameOfKey, wordsOf } from './acl-words.ts';
import { aclSchema } from './partner-objects.ts';

/** The conflict of rows that are edited with what somebody else has stored meanwhile. */
export function AclConflict(props: {
  readonly rows: readonly AclRow[];
  readonly version: EditedVersion;
  /** What follows if somebody else has deleted it. Default: it can be created again. */
  readonly deleted: string | undefined;
  /** Is called with the rows that have the changes of both. */
  readonly onGoOn: (rows: readonly AclRow[]) => void;
}) {
  const { rows, version, deleted, onGoOn } = props;
  const { edited, current, onEdit } = version;
  if (current?.etag === edited.etag) return null;
  if (current === undefined) return <p role="alert">{deleted ?? texts.configuration.deletedMeanwhile}</p>;
  const [base, mine, stored] = [settingsOf(edited), settingsOfRows(rows), settingsOf(current)];
  const merge = mergeChanges({ base, mine, stored });
  return (
    <VersionConflict
      stored={inWords(stored)}
      comparison={{
        differences: differencesBetween(inWords(stored), inWords(mine)),
        conflicts: merge.conflicts.map(({ path: [key = ''], ...values }) => ({
          setting: nameOfKey(key),
          mine: wordsOf(values.mine),
          stored: wordsOf(values.stored),
        })),
        onGoOn: (keeps) => {
          onEdit(current);
          onGoOn(rowsOfSettings(applyChanges(mine, changesToTake(merge, keeps))));
        },
      }}
    />
  );
}

function settingsOf({ object }: EditedVersion['edited']): AclSettings {
  return settingsOfRows(rowsOf(aclSchema.parse(object['acl'] ?? [])));
}

function inWords(settings: AclSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).map(([key, granted]) => [nameOfKey(key), wordsOf(granted)]));
}
