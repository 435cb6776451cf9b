import { useRouter } from '@tanstack/react-router';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { useMemo } from 'react';
import { Button, Link } from 'react-aria-components';
import { basePath } from '../../address/console-links.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { usePermissions } from '../../api/permissions.ts';
import { PageFrame } from '../../frame/page-frame.tsx';
import type { PageProps } from '../../frame/page.ts';
import { FilterText } from '../../lists/filter-fields.tsx';
import { type Column, VirtualTable } from '../../lists/virtual-table.tsx';
import { texts } from '../../texts/texts.ts';
import { addressOf, findCollection, permissionOf, titleOf } from './collection.ts';
import { ObjectEditor } from './object-editor.tsx';
import { type ConfiguredObject, createObject, listObjects, objectPageSize } from './objects.ts';

const { configuration } = texts;
const filterNames = ['name', 'actor', 'source', 'new'] as const;

/** The objects of one kind, and with permission what creates one. */
export function CollectionPage({ params }: PageProps) {
  const resource = findCollection(params['collection']);
  const [{ new: isNew, ...filters }, change] = useFilters(filterNames);
  const { may } = usePermissions();
  const columns = useMemo(() => (resource === undefined ? [] : columnsOf(resource)), [resource]);
  if (resource === undefined) return <PageFrame title={texts.notFoundTitle}>{texts.notFound}</PageFrame>;
  return (
    <PageFrame
      title={titleOf(resource)}
      actions={
        may(permissionOf(resource, 'write')) &&
        isNew === undefined && (
          <Button className="button" onPress={() => change({ new: 'yes' })}>
            {configuration.create}
          </Button>
        )
      }
    >
      {isNew !== undefined && <NewObject resource={resource} onCancel={() => change({ new: undefined })} />}
      <section className="filters" aria-label={configuration.filters}>
        {(['name', 'actor', 'source'] as const).map(
          (name) =>
            (name !== 'actor' || resource.ofActor !== 'none') && (
              <FilterText
                key={name}
                label={configuration[name]}
                value={filters[name] ?? ''}
                onChange={(value) => change({ [name]: value })}
              />
            ),
        )}
      </section>
      <VirtualTable
        key={JSON.stringify([resource.collection, filters])}
        label={titleOf(resource)}
        columns={columns}
        empty={configuration.none}
        keyOf={({ name, actor = '' }) => `${actor}/${name}`}
        source={{
          queryKey: ['configuration', resource.collection, 'list', filters],
          pageSize: objectPageSize,
          refreshEveryMs: 1_500,
          read: (cursor, signal) => listObjects(resource, filters, { cursor, signal }),
        }}
      />
    </PageFrame>
  );
}

function NewObject({ resource, onCancel }: { readonly resource: AdministeredResource; readonly onCancel: () => void }) {
  const { history } = useRouter();
  return (
    <ObjectEditor
      initial={{ name: '', ...(resource.ofActor === 'all' && { actor: '' }) }}
      action={configuration.create}
      save={async (body) => {
        const { object } = await createObject(resource, body);
        history.push(basePath + addressOf(resource, object));
      }}
      onCancel={onCancel}
    />
  );
}

function columnsOf(resource: AdministeredResource): readonly Column<ConfiguredObject>[] {
  return [
    {
      name: 'name',
      title: configuration.name,
      width: 'minmax(0, 2fr)',
      cell: (object) => (
        <Link href={addressOf(resource, object)}>
          <bdi>{object.name}</bdi>
        </Link>
      ),
    },
    ...(resource.ofActor === 'none'
      ? []
      : [{ name: 'actor', title: configuration.actor, width: 'minmax(0, 1fr)', cell: actorOf }]),
    {
      name: 'owner',
      title: configuration.owner,
      width: 'minmax(0, 1fr)',
      cell: ({ source }) => configuration.ownerOf(source),
    },
  ];
}

function actorOf({ actor }: ConfiguredObject): string {
  return actor ?? '';
}
