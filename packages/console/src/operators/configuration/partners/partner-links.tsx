import { permissionOn } from '@waybill/contracts/endpoints/administration/resource';
import { Link } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { usePermissions } from '../../api/permissions.ts';
import type { SmallColumn } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { findCollection } from '../stored/collection.ts';

const { configuration } = texts;

/** The name of an object, which leads to it. */
export function nameColumn(
  collection: string,
  actor: string,
): SmallColumn<{ readonly name: string; readonly source: string | null }> {
  return {
    title: configuration.name,
    cell: ({ name, source }) => (
      <>
        <Link
          href={`/configuration/${collection}/${encodeURIComponent(name)}?${new URLSearchParams({ actor }).toString()}`}
        >
          <OutsideText text={name} />
        </Link>{' '}
        {source !== null && <span className="quiet">{configuration.ownerOf(source)}</span>}
      </>
    ),
  };
}

/** Leads to where an actor gets an object of a kind, if the user of the page may create it. */
export function CreateLink({ collection, actor }: { readonly collection: string; readonly actor: string }) {
  const { may, actorsOf } = usePermissions();
  const kind = findCollection(collection);
  if (kind === undefined) return null;
  const permission = permissionOn(kind, 'write');
  if (!may(permission) || actorsOf(permission)?.includes(actor) === false) return null;
  const [one] = configuration.kindsOf(kind);
  return (
    <Link
      className="button small"
      href={`/configuration/${collection}?${new URLSearchParams({ new: 'yes', actor }).toString()}`}
      aria-label={configuration.createOne(one)}
    >
      {configuration.create}
    </Link>
  );
}
