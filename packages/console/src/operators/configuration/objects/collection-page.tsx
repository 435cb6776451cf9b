import { useRouter } from '@tanstack/react-router';
import { type AdministeredResource, permissionOn } from '@waybill/contracts/endpoints/administration/resource';
import { useMemo } from 'react';
import { Button, Link } from 'react-aria-components';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { basePath } from '../../address/console-links.tsx';
import { type ChangeFilters, type Filters, useFilters } from '../../address/use-filters.ts';
import { usePermissions } from '../../api/permissions.ts';
import { AllowedPage } from '../../frame/allowed-page.tsx';
import { NewPartnerLink } from '../../frame/new-partner-link.tsx';
import { PageFrame } from '../../frame/page-frame.tsx';
import type { PageProps } from '../../frame/page.ts';
import { BeginningButtons } from '../../lists/beginning-buttons.tsx';
import { emptyText } from '../../lists/empty-text.ts';
import { FilterText } from '../../lists/filter-fields.tsx';
import { type Column, VirtualTable } from '../../lists/virtual-table.tsx';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { texts } from '../../texts/texts.ts';
import { ObjectEditor } from '../editor/object-editor.tsx';
import { issueCodeForNew } from '../logins/first-password.tsx';
import { OutsideNames } from '../logins/outside-names.tsx';
import { findPart } from '../parts/list-parts.ts';
import { PartsPage } from '../parts/parts-page.tsx';
import { addressOf, findCollection, mayCreate, mayOn, titleOf } from '../stored/collection.ts';
import {
  type ConfiguredObject,
  createObject,
  listObjects,
  objectPageSize,
  previewCreation,
} from '../stored/objects.ts';

const { configuration } = texts;
const soughtBy = ['name', 'actor', 'source'] as const;
const filterNames = [...soughtBy, 'new'] as const;

/** The objects of one kind, or the parts of objects. */
export function CollectionPage({ params }: PageProps) {
  const resource = findCollection(params['collection']);
  const part = findPart(params['collection']);
  const permissions = usePermissions();
  const ofPart = part === undefined ? resource : findCollection(part.of);
  // Until the permissions are known, the interface decides.
  const isAllowed = permissions.userName === undefined || ofPart === undefined || mayOn(permissions, ofPart, 'read');
  if (part === undefined && resource === undefined)
    return <PageFrame title={texts.notFoundTitle}>{texts.notFound}</PageFrame>;
  return (
    <AllowedPage isAllowed={isAllowed}>
      {part !== undefined && <PartsPage part={part} />}
      {part === undefined && resource !== undefined && <Collection resource={resource} />}
    </AllowedPage>
  );
}

/** The objects of one kind, and with permission what creates one. */
function Collection({ resource }: { readonly resource: AdministeredResource }) {
  const [{ new: isNew, ...filters }, change] = useFilters(filterNames);
  const refreshEveryMs = useConfigurationRefresh();
  const columns = useMemo(() => columnsOf(resource), [resource]);
  const [, many] = configuration.kindsOf(resource);
  return (
    <PageFrame
      title={titleOf(resource)}
      actions={isNew === undefined && <CreateButtons resource={resource} onCreate={() => change({ new: 'yes' })} />}
    >
      {isNew !== undefined && (
        <NewObject resource={resource} actor={filters.actor} onCancel={() => change({ new: undefined })} />
      )}
      <section className="filters" aria-label={configuration.filters}>
        {soughtBy.map(
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
      <p className="quiet">{configuration.filterHint}</p>
      {resource.collection === 'manager-users' && <OutsideNames />}
      <VirtualTable
        key={JSON.stringify([resource.collection, filters])}
        label={titleOf(resource)}
        columns={columns}
        empty={emptyText({ ...configuration, none: configuration.noneOf(many) }, filters)}
        whenEmpty={<WhenEmpty {...{ resource, filters }} onChange={change} />}
        keyOf={({ name, actor = '' }) => `${actor}/${name}`}
        source={{
          queryKey: ['configuration', resource.collection, 'list', filters],
          pageSize: objectPageSize,
          refreshEveryMs,
          read: (cursor, signal) => listObjects(resource, filters, { cursor, signal }),
        }}
      />
    </PageFrame>
  );
}

/** What creates an object, if the user may do that. */
function CreateButtons(props: { readonly resource: AdministeredResource; readonly onCreate: () => void }) {
  const { resource, onCreate } = props;
  if (!mayCreate(usePermissions(), resource)) return null;
  return (
    <div className="buttons">
      {resource.collection === 'actors' && <NewPartnerLink />}
      <Button className="button" onPress={onCreate}>
        {configuration.create}
      </Button>
    </div>
  );
}

/** What can be done where no object is listed. */
function WhenEmpty(props: {
  readonly resource: AdministeredResource;
  readonly filters: Filters<(typeof soughtBy)[number]>;
  readonly onChange: ChangeFilters<(typeof soughtBy)[number]>;
}) {
  const { resource, filters, onChange } = props;
  if (Object.keys(filters).length > 0)
    return <BeginningButtons filters={filters} names={soughtBy} onChange={onChange} />;
  return (
    resource.collection === 'actors' && (
      <p className="empty">
        <NewPartnerLink />
      </p>
    )
  );
}

function NewObject(props: {
  readonly resource: AdministeredResource;
  /** Whose objects are listed; undefined: those of all. */
  readonly actor: string | undefined;
  readonly onCancel: () => void;
}) {
  const { resource, onCancel } = props;
  const { history } = useRouter();
  const [first = ''] = usePermissions().actorsOf(permissionOn(resource, 'write')) ?? [];
  const { actor = first } = props;
  const hasActor = resource.ofActor === 'all' || (resource.ofActor === 'some' && props.actor !== undefined);
  return (
    <ObjectEditor
      resource={resource}
      initial={{ name: '', ...(hasActor && { actor }) }}
      action={configuration.create}
      preview={(body) => previewCreation(resource, body)}
      save={async (body) => {
        const { object } = await createObject(resource, body);
        if (resource.collection === 'manager-users') await issueCodeForNew(object.name, body);
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
      rem: 10,
      share: 2,
      cell: (object) => (
        <Link href={addressOf(resource, object)}>
          <OutsideText text={object.name} />
        </Link>
      ),
    },
    ...(resource.ofActor === 'none'
      ? []
      : [{ name: 'actor', title: configuration.actor, rem: 8, share: 1, cell: actorOf }]),
    ...(resource.times ?? []).map(({ name }) => ({
      name,
      title: texts.partners.lastLogin,
      rem: 8,
      share: 1,
      cell: ({ [name]: time }: ConfiguredObject) => (time === undefined ? texts.partners.noLogin : formatTime(time)),
    })),
    {
      name: 'owner',
      title: configuration.owner,
      rem: 8,
      share: 1,
      cell: ({ source }) => configuration.ownerOf(source),
    },
  ];
}

function actorOf({ actor }: ConfiguredObject): string {
  return actor ?? '';
}
