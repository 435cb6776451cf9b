import { allPermissions, type Permission } from '@waybill/contracts/values/permission';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { type ConnectionContract, entriesOf } from '../related/connection-contracts.ts';
import { ExplainLink } from '../related/explain-links.tsx';
import type { AclRow } from './acl-rows.ts';
import { granteeOf } from './acl-words.ts';

const { partners, configuration } = texts;

/** Who may do what on which path: path by user or group by permission. */
export function AclTable(props: {
  readonly label: string;
  readonly vfs: string;
  readonly rows: readonly AclRow[];
  readonly contracts: readonly ConnectionContract[];
}) {
  const { label, vfs, rows, contracts } = props;
  return (
    <SmallTable
      label={label}
      rows={rows}
      empty={partners.noAcl}
      keyOf={({ id }) => id}
      columns={[
        { title: configuration.path, cell: ({ path }) => <OutsideText text={path} /> },
        { title: partners.grantee, cell: (row) => <OutsideText text={granteeOf(row)} /> },
        ...allPermissions.map((permission) => ({
          title: texts.permissionNames[permission],
          cell: ({ permissions }: AclRow) => (permissions.has(permission) ? partners.yes : partners.no),
        })),
        {
          title: partners.explain,
          cell: ({ kind, name, path, permissions }) =>
            kind === 'user' &&
            entriesOf(contracts, (clause) => clause.vfs === vfs && clause.user === name).map(
              ({ mountPath, contract }) => (
                <ExplainLink
                  key={mountPath}
                  user={name}
                  path={joined(mountPath, path)}
                  operation={usualOf(permissions)}
                  contract={contract}
                />
              ),
            ),
        },
      ]}
    />
  );
}

/** What a row is most likely to be asked about: what it grants, the list first. */
function usualOf(permissions: ReadonlySet<Permission>): Permission {
  return allPermissions.find((permission) => permissions.has(permission)) ?? 'list';
}

function joined(mount: string, path: string): string {
  const parent = mount === '/' ? '' : mount;
  return path === '/' ? mount : `${parent}${path}`;
}
