import type { ObjectChange } from '@waybill/contracts/endpoints/administration/configuration-views';
import { Button } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { TextNote } from '../../frame/text-note.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { Differences, SettingValue } from '../changes/differences.tsx';
import type { StoredObject } from '../stored/objects.ts';
import { settingsText } from '../text/settings-text.ts';

const { configuration } = texts;

/** The version of an object that is edited, and what is stored by now. */
export interface EditedVersion {
  readonly edited: StoredObject;
  /** Undefined: it was deleted. */
  readonly current: StoredObject | undefined;
  /** Edits another version from now on. */
  readonly onEdit: (version: StoredObject) => void;
}

/** How a draft differs from what is stored, and what brings both together. */
interface Comparison {
  readonly differences: ObjectChange['differences'];
  /** What both have changed. */
  readonly conflicts: readonly { readonly setting: string; readonly mine: unknown; readonly stored: unknown }[];
  /** Goes on from what is stored; says whose values stay where both have changed a setting. */
  readonly onGoOn: (keeps: 'mine' | 'stored') => void;
}

/**
 * What somebody else has stored since a draft was begun, how the draft differs from it, and buttons that go on from there with the
 * changes of both. A draft that cannot be read has to be corrected first.
 */
export function VersionConflict(props: {
  /** The settings that are stored now. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly comparison: Comparison | undefined;
}) {
  const { stored, comparison } = props;
  return (
    <>
      <p role="alert">{configuration.conflict}</p>
      <StoredSettings settings={stored} name={configuration.stored} />
      {comparison === undefined ? (
        <p className="failure">{configuration.conflictUnreadable}</p>
      ) : (
        <Compared {...comparison} />
      )}
    </>
  );
}

function Compared({ differences, conflicts, onGoOn }: Comparison) {
  return (
    <>
      <h2>{configuration.conflictDifferences}</h2>
      <Differences label={configuration.conflictDifferences} differences={differences} />
      {conflicts.length > 0 && (
        <>
          <h2>{configuration.changedByBoth}</h2>
          <SmallTable
            label={configuration.changedByBoth}
            rows={conflicts}
            empty=""
            keyOf={({ setting }) => setting}
            columns={[
              { title: configuration.setting, cell: ({ setting }) => <OutsideText text={setting} /> },
              { title: configuration.stored, cell: (conflict) => <SettingValue value={conflict.stored} /> },
              { title: configuration.mine, cell: ({ mine }) => <SettingValue value={mine} /> },
            ]}
          />
        </>
      )}
      <div className="buttons">
        {conflicts.length === 0 ? (
          <Button className="button" onPress={() => onGoOn('mine')}>
            {configuration.goOn}
          </Button>
        ) : (
          (['mine', 'stored'] as const).map((keeps) => (
            <Button key={keeps} className="button" onPress={() => onGoOn(keeps)}>
              {configuration.goOnWith[keeps]}
            </Button>
          ))
        )}
      </div>
    </>
  );
}

/** Settings as they are stored. */
export function StoredSettings(props: { readonly settings: Readonly<Record<string, unknown>>; readonly name: string }) {
  return <TextNote text={settingsText(props.settings)} name={props.name} />;
}
