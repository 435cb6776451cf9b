import { type AdministeredPart, resourceOf } from '@waybill/contracts/endpoints/administration/part-table';
import { useMemo } from 'react';
import { Link } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { PageFrame } from '../../frame/page-frame.tsx';
import { BeginningButtons } from '../../lists/beginning-buttons.tsx';
import { emptyText } from '../../lists/empty-text.ts';
import { FilterText } from '../../lists/filter-fields.tsx';
import { type Column, VirtualTable } from '../../lists/virtual-table.tsx';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { texts } from '../../texts/texts.ts';
import { addressOf, capitalized, titleOf } from '../stored/collection.ts';
import { objectPageSize } from '../stored/objects.ts';
import { type ConfiguredPart, listParts } from './list-parts.ts';

const { configuration } = texts;
const filterNames = ['name', 'cluster', 'contract', 'actor', 'source'] as const;

/** The parts of objects of one kind: servers of clusters, or expectations of contracts. They are edited with their objects. */
export function PartsPage({ part }: { readonly part: AdministeredPart }) {
  const [filters, change] = useFilters(filterNames);
  const refreshEveryMs = useConfigurationRefresh();
  const resource = resourceOf(part);
  const columns = useMemo(() => columnsOf(part), [part]);
  const fields = [
    ['name', configuration.name],
    [part.member === 'cluster' ? 'cluster' : 'contract', capitalized(configuration.kindsOf(resource)[0])],
    ...(resource.ofActor === 'none' ? [] : [['actor', configuration.actor] as const]),
    ['source', configuration.source],
  ] as const;
  return (
    <PageFrame title={titleOf(part)}>
      <p>
        <Link href={`/configuration/${resource.collection}`}>{titleOf(resource)}</Link>
        {` · ${configuration.editedWith(configuration.kindsOf(resource)[0])}`}
      </p>
      <section className="filters" aria-label={configuration.filters}>
        {fields.map(([name, label]) => (
          <FilterText
            key={name}
            label={label}
            value={filters[name] ?? ''}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </section>
      <p className="quiet">{configuration.filterHint}</p>
      <VirtualTable
        key={JSON.stringify(filters)}
        label={titleOf(part)}
        columns={columns}
        empty={emptyText({ ...configuration, none: configuration.noneOf(configuration.kindsOf(part)[1]) }, filters)}
        whenEmpty={<BeginningButtons filters={filters} names={filterNames} onChange={change} />}
        keyOf={({ name, parent, actor = '' }) => JSON.stringify([actor, parent, name])}
        source={{
          queryKey: ['configuration', part.collection, 'list', filters],
          pageSize: objectPageSize,
          refreshEveryMs,
          read: (cursor, signal) => listParts(part, filters, { cursor, signal }),
        }}
      />
    </PageFrame>
  );
}

function columnsOf(part: AdministeredPart): readonly Column<ConfiguredPart>[] {
  const resource = resourceOf(part);
  const details =
    part.collection === 'servers'
      ? (['protocol', 'maxSessions', 'maxSessionsPerUser'] as const)
      : (['vfs', 'virtualPath', 'filePattern', 'cron'] as const);
  return [
    { name: 'name', title: configuration.name, rem: 8, share: 1, cell: ({ name }) => <OutsideText text={name} /> },
    {
      name: 'parent',
      title: capitalized(configuration.kindsOf(resource)[0]),
      rem: 8,
      share: 1,
      cell: ({ parent, actor }) => (
        <Link href={addressOf(resource, { name: parent, actor })}>
          <OutsideText text={parent} />
        </Link>
      ),
    },
    ...details.map((name) => ({
      name,
      title: configuration.partSettings[name],
      rem: 8,
      share: 1,
      cell: ({ settings }: ConfiguredPart) => <OutsideText text={inWords(settings[name])} />,
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

function inWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
