import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateLink, nameColumn } from './partner-links.tsx';

const { partners } = texts;

interface PartnerObject {
  readonly name: string;
  readonly source: string | null;
}

/** The objects of one kind that a partner has, with what creates another one. A long list goes on at the page of the kind. */
export function ObjectsPanel<T extends PartnerObject>(props: {
  readonly collection: string;
  readonly actor: string;
  readonly title: string;
  /** Says that there are none. */
  readonly empty: string;
  readonly found: {
    readonly data: { readonly objects: readonly T[]; readonly hasMore: boolean } | undefined;
    readonly error: Error | null;
  };
  /** Beside their names. */
  readonly columns: readonly SmallColumn<T>[];
  /** Below the table. */
  readonly children?: ReactNode;
}) {
  const { collection, actor, title, empty, found, columns, children } = props;
  const { data, error } = found;
  return (
    <Panel
      title={title}
      error={error}
      isRead={data !== undefined}
      isBroad
      actions={<CreateLink collection={collection} actor={actor} />}
    >
      <SmallTable
        label={title}
        rows={data?.objects}
        empty={empty}
        keyOf={({ name }) => name}
        columns={[nameColumn(collection, actor), ...columns]}
      />
      {data?.hasMore === true && (
        <p>
          <Link href={`/configuration/${collection}?${new URLSearchParams({ actor }).toString()}`}>
            {partners.allAfterFirst(data.objects.length)}
          </Link>
        </p>
      )}
      {children}
    </Panel>
  );
}
