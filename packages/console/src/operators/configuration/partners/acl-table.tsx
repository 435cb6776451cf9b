import { allPermissions } from '@waybill/contracts/values/permission';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import type { AclRow } from './acl-rows.ts';
import { granteeOf } from './acl-words.ts';
import { ExplainLink } from './partner-links.tsx';
import type { ConnectionContract } from './partner-objects.ts';

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
          cell: ({ kind, name, path }) =>
            kind === 'user' &&
            mountsOf(contracts, vfs, name).map((mount) => (
              <ExplainLink key={mount} user={name} path={joined(mount, path)} />
            )),
        },
      ]}
    />
  );
}

/** Where a user finds a virtual file system. */
function mountsOf(contracts: readonly ConnectionContract[], vfs: string, user: string): readonly string[] {
  const clauses = contracts.flatMap((contract) => contract.clauses);
  return [...new Set(clauses.filter((one) => one.vfs === vfs && one.user === user).map(({ mountPath }) => mountPath))];
}

function joined(mount: string, path: string): string {
  const parent = mount === '/' ? '' : mount;
  return path === '/' ? mount : `${parent}${path}`;
}
