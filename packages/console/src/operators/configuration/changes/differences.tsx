import type { ObjectChange } from '@waybill/contracts/endpoints/administration/configuration-views';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';

const { configuration } = texts;

/** Settings that differ: before and after. */
export function Differences({
  label,
  differences,
}: {
  readonly label: string;
  readonly differences: ObjectChange['differences'];
}) {
  return (
    <SmallTable
      label={label}
      rows={differences}
      empty=""
      keyOf={({ setting }) => setting}
      columns={[
        { title: configuration.setting, cell: ({ setting }) => <OutsideText text={setting} /> },
        { title: configuration.before, cell: ({ before }) => <SettingValue value={before} /> },
        { title: configuration.after, cell: ({ after }) => <SettingValue value={after} /> },
      ]}
    />
  );
}

/** The value of a setting; a dash where there is none. */
export function SettingValue({ value }: { readonly value: unknown }) {
  if (value === undefined) return '—';
  return <OutsideText text={typeof value === 'string' ? value : JSON.stringify(value)} />;
}
