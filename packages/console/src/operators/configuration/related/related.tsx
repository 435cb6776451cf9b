import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import type { Permission } from '@waybill/contracts/roles/permissions';
import { z } from 'zod';
import { usePermissions } from '../../api/permissions.ts';
import { LinkList } from '../../frame/link-list.tsx';
import { Panel } from '../../frame/panel.tsx';
import { texts } from '../../texts/texts.ts';
import { addressOf, mayOn, titleOfObject } from '../stored/collection.ts';
import type { ConfiguredObject } from '../stored/objects.ts';
import { Explanations } from './explain-links.tsx';
import { referencesOf } from './references.ts';
import { useConnectionContracts } from './use-connection-contracts.ts';

const { configuration, partners } = texts;

/** The lists of what objects of a kind have led to, with the filters by their names, and what these lists demand. */
const lists: Readonly<
  Record<string, readonly (readonly [list: string, filter: string, permission: Permission, label: string])[]>
> = {
  queues: [['/jobs', 'queue', 'jobs:read', texts.jobs.title]],
  'workflow-templates': [['/jobs', 'workflowTemplateName', 'jobs:read', texts.jobs.title]],
  contracts: [['/jobs', 'contract', 'jobs:read', texts.jobs.title]],
  users: [['/files', 'user', 'activity:read', partners.files]],
  'virtual-file-systems': [['/files', 'vfs', 'activity:read', partners.files]],
};

interface ObjectProps {
  readonly resource: AdministeredResource;
  readonly object: ConfiguredObject;
}

/** Where an object leads: to its partner, to what its settings refer to, and to what it has led to, as far as the user may see that. */
export function Related({ resource, object }: ObjectProps) {
  const permissions = usePermissions();
  const { name, actor } = object;
  const links = [
    ...(actor === undefined ? [] : [[`/partners/${encodeURIComponent(actor)}`, partners.titleOf(actor)] as const]),
    ...referencesOf(resource, object)
      .filter(({ kind }) => mayOn(permissions, kind, 'read'))
      .map(({ kind, ...target }) => [addressOf(kind, target), titleOfObject(kind, target.name)] as const),
    ...(lists[resource.collection] ?? [])
      .filter(([, , permission]) => permissions.may(permission))
      .map(
        ([list, filter, , label]) => [`${list}?${new URLSearchParams({ [filter]: name }).toString()}`, label] as const,
      ),
  ];
  if (links.length === 0) return null;
  return (
    <Panel title={configuration.related}>
      <LinkList label={configuration.related} links={links.map(([href, title]) => ({ href, title }))} />
      {resource.collection === 'users' && actor !== undefined && <ExplainUser object={object} actor={actor} />}
    </Panel>
  );
}

const groupsSchema = z.array(z.string()).catch([]);

function ExplainUser({ object, actor }: { readonly object: ConfiguredObject; readonly actor: string }) {
  const { data } = useConnectionContracts(actor);
  const user = { name: object.name, groups: groupsSchema.parse(object['groups']) };
  return <Explanations user={user} contracts={data?.objects} />;
}
