import { useQuery } from '@tanstack/react-query';
import type { AccessExplanation } from '@waybill/contracts/endpoints/administration/explain-access';
import { permissionSchema } from '@waybill/contracts/values/permission';
import { protocolSchema } from '@waybill/contracts/values/protocol';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { usePermissions } from '../../api/permissions.ts';
import { OptionalLink } from '../../frame/optional-link.tsx';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { FilterChoice, FilterText } from '../../lists/filter-fields.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { addressOf, findCollection, mayOn } from '../stored/collection.ts';
import { findObject } from '../stored/objects.ts';
import { explain, usualProtocol, wrongFieldsOf } from './explain.ts';
import { objectsOfRules, type RuleObject } from './rule-objects.ts';

const { configuration } = texts;
const filterNames = ['user', 'protocol', 'operation', 'path', 'address', 'cluster', 'server'] as const;

/** Why a user may do something, or not. The question is in the address. */
export function AccessPage() {
  const [{ user = '', path = '', ...choices }, change] = useFilters(filterNames);
  const operation = permissionSchema.safeParse(choices.operation).data ?? 'download';
  const { address, cluster, server } = choices;
  const chosen = protocolSchema.safeParse(choices.protocol).data;
  const question = { user, protocol: chosen, operation, path, address, cluster, server };
  const wrong = wrongFieldsOf(question);
  const { data, error } = useQuery({
    queryKey: ['access', question],
    queryFn: ({ signal }) => explain(question, signal),
    // What is half typed would be refused, and audited.
    enabled: user !== '' && path !== '' && wrong.length === 0,
    retry: false,
  });
  const protocol = chosen ?? data?.protocol ?? usualProtocol;
  return (
    <PageFrame title={configuration.accessTitle}>
      <section className="filters" aria-label={configuration.question}>
        <FilterText label={configuration.user} value={user} onChange={(value) => change({ user: value })} />
        <FilterChoice
          label={configuration.protocol}
          value={protocol}
          choices={protocolSchema.options.map((one) => [one, one] as const)}
          onChange={(value) => change({ protocol: value })}
        />
        <FilterChoice
          label={configuration.operation}
          value={operation}
          choices={permissionSchema.options.map((one) => [one, texts.permissionNames[one]] as const)}
          onChange={(value) => change({ operation: value })}
        />
        <FilterText label={configuration.path} value={path} onChange={(value) => change({ path: value })} />
        <FilterText
          label={configuration.address}
          value={address ?? ''}
          onChange={(value) => change({ address: value })}
        />
        <FilterText
          label={configuration.cluster}
          value={cluster ?? ''}
          onChange={(value) => change({ cluster: value })}
        />
        <FilterText label={configuration.server} value={server ?? ''} onChange={(value) => change({ server: value })} />
        <p className="quiet whole-line">{configuration.accessHint}</p>
      </section>
      {wrong.length > 0 && <p role="status">{wrong.map((name) => configuration.wrongQuestion[name]).join(' ')}</p>}
      <Failure error={error} isRead={data !== undefined} />
      {data !== undefined && <Explanation {...data} />}
    </PageFrame>
  );
}

function Explanation(explanation: AccessExplanation) {
  const { allowed, rules } = explanation;
  const objects = objectsOfRules(explanation);
  const actor = useActorOf(explanation.user);
  return (
    <>
      <p role="status">
        <strong className={allowed ? 'good' : 'failure'}>
          {allowed ? configuration.allowed : configuration.refusedAccess}
        </strong>
      </p>
      <SmallTable
        label={configuration.rules}
        rows={rules.map((rule, index) => ({ ...rule, object: objects[index] }))}
        empty=""
        keyOf={({ rule, name, why }) => `${rule} ${name} ${why}`}
        columns={[
          { title: configuration.rule, cell: ({ rule }) => rule },
          {
            title: configuration.name,
            cell: ({ name, object }) => <RuleName name={name} object={object} actor={actor} />,
          },
          {
            title: configuration.decides,
            cell: ({ allows }) => (allows ? configuration.allows : configuration.refuses),
          },
          { title: configuration.why, cell: ({ why }) => <OutsideText text={why} /> },
        ]}
      />
    </>
  );
}

/** The name that a rule has, which leads to the object of the rule, if the user of the page may see that. */
function RuleName(props: {
  readonly name: string;
  readonly object: RuleObject | undefined;
  readonly actor: string | undefined;
}) {
  const { name, object, actor } = props;
  const permissions = usePermissions();
  const kind = findCollection(object?.collection);
  if (object === undefined || kind === undefined) return <OutsideText text={name} />;
  const isOwned = kind.ofActor !== 'none';
  return (
    <OptionalLink
      href={addressOf(kind, { name: object.name, ...(isOwned && { actor }) })}
      isLink={mayOn(permissions, kind, 'read') && (!isOwned || actor !== undefined)}
      text={name}
    />
  );
}

/** The actor of a user, to whom the objects of the rules belong; undefined if there is no such user of a partner. */
function useActorOf(user: string): string | undefined {
  const users = findCollection('users');
  const { data } = useQuery({
    queryKey: ['configuration', 'users', 'actor of', user],
    queryFn: async ({ signal }) =>
      users === undefined ? undefined : (await findObject(users, { name: user }, signal)).object.actor,
    retry: false,
  });
  return data;
}
