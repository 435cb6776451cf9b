import { allPermissions, type Permission } from '@waybill/contracts/values/permission';
import { Button } from 'react-aria-components';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import type { AclRow } from './acl-rows.ts';

const { partners, configuration } = texts;

interface RowsProps {
  readonly rows: readonly AclRow[];
  readonly onChange: (rows: readonly AclRow[]) => void;
  readonly onRemove: (id: number) => void;
}

/** Fields for each row of an access list. */
export function AclRows({ rows, onChange, onRemove }: RowsProps) {
  const set = (id: number, values: Partial<AclRow>): void =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...values } : row)));
  const label = (column: string, { id }: AclRow): string =>
    partners.cell(column, rows.findIndex((row) => row.id === id) + 1);
  const textColumn = (title: string, name: 'path' | 'name'): SmallColumn<AclRow> => ({
    title,
    cell: (row) => (
      <input
        aria-label={label(title, row)}
        value={row[name]}
        onChange={({ target }) => set(row.id, { [name]: target.value })}
      />
    ),
  });
  return (
    <SmallTable
      label={partners.aclEditor}
      rows={rows}
      empty=""
      keyOf={({ id }) => id}
      columns={[
        textColumn(configuration.path, 'path'),
        {
          title: partners.kind,
          cell: (row) => <KindField row={row} label={label(partners.kind, row)} onChange={set} />,
        },
        textColumn(partners.grantee, 'name'),
        ...allPermissions.map((permission) => permissionColumn(permission, label, set)),
        {
          title: <span className="visually-hidden">{texts.actions}</span>,
          text: 'actions',
          cell: (row) => (
            <Button
              className="button small"
              aria-label={label(configuration.remove, row)}
              onPress={() => onRemove(row.id)}
            >
              {configuration.remove}
            </Button>
          ),
        },
      ]}
    />
  );
}

function permissionColumn(
  permission: Permission,
  label: (column: string, row: AclRow) => string,
  onChange: (id: number, values: Partial<AclRow>) => void,
): SmallColumn<AclRow> {
  const title = texts.permissionNames[permission];
  return {
    title,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={label(title, row)}
        checked={row.permissions.has(permission)}
        onChange={() => onChange(row.id, { permissions: toggled(row.permissions, permission) })}
      />
    ),
  };
}

function KindField(props: {
  readonly row: AclRow;
  readonly label: string;
  readonly onChange: (id: number, values: Partial<AclRow>) => void;
}) {
  const { row, label, onChange } = props;
  return (
    <select
      aria-label={label}
      value={row.kind}
      onChange={({ target }) => onChange(row.id, { kind: target.value === 'group' ? 'group' : 'user' })}
    >
      <option value="user">{configuration.user}</option>
      <option value="group">{partners.groupKind}</option>
    </select>
  );
}

function toggled(permissions: ReadonlySet<Permission>, permission: Permission): ReadonlySet<Permission> {
  const next = new Set(permissions);
  if (!next.delete(permission)) next.add(permission);
  return next;
}
