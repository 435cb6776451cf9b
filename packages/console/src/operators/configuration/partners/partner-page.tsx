import { Fragment } from 'react';
import { Link } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { usePermissions } from '../../api/permissions.ts';
import { isUnknown } from '../../api/refusals.ts';
import { OptionalLink } from '../../frame/optional-link.tsx';
import { PageFrame, ReadFailure } from '../../frame/page-frame.tsx';
import type { PageProps } from '../../frame/page.ts';
import { HttpSessionList } from '../../now/sessions/http-session-list.tsx';
import { SessionList } from '../../now/sessions/session-list.tsx';
import { texts } from '../../texts/texts.ts';
import { ExplainLink } from '../related/explain-links.tsx';
import { useConnectionContracts } from '../related/use-connection-contracts.ts';
import { useObjectsOf } from '../stored/objects-of-actor.ts';
import { FilesPanel } from './files-panel.tsx';
import { ObjectsPanel } from './objects-panel.tsx';
import { connectionSchema, contractSchema, useActor } from './partner-objects.ts';
import { UsersPanel } from './users-panel.tsx';

const { partners } = texts;

/** Everything of one actor: its users, files, Connection Contracts, contracts and client connections. */
export function PartnerPage({ params: { name = '' } }: PageProps) {
  const contracts = useConnectionContracts(name);
  const clauses = contracts.data?.objects ?? [];
  const found = useActor(name);
  const { may } = usePermissions();
  if (found.data === undefined && isUnknown(found.error))
    return (
      <PageFrame title={partners.titleOf(name)}>
        <ReadFailure error={found.error} isRead={false} unknown={partners.unknown(name)} />
      </PageFrame>
    );
  return (
    <PageFrame title={partners.titleOf(name)}>
      <PartnerLinks name={name} />
      <UsersPanel actor={name} contracts={contracts.data?.objects} />
      <FilesPanel actor={name} contracts={clauses} />
      <Access actor={name} />
      <Contracts actor={name} />
      <Connections actor={name} />
      {may('sessions:read') && <SessionList actor={name} />}
      {may('sessions:read') && <HttpSessionList actor={name} />}
    </PageFrame>
  );
}

/** Where else there is something of a partner, as far as the user may see it. */
function PartnerLinks({ name }: { readonly name: string }) {
  const { may } = usePermissions();
  const value = encodeURIComponent(name);
  const links = [
    [`/configuration/actors/${value}`, partners.settings] as const,
    ...(may('jobs:read') ? [[`/jobs?actor=${value}`, partners.jobs] as const] : []),
    ...(may('activity:read') ? [[`/files?actor=${value}`, partners.transferredFiles] as const] : []),
  ];
  return (
    <p>
      {links.map(([href, label], index) => (
        <Fragment key={href}>
          {index > 0 && ' · '}
          <Link href={href}>{label}</Link>
        </Fragment>
      ))}
    </p>
  );
}

function Access({ actor }: { readonly actor: string }) {
  const found = useConnectionContracts(actor);
  return (
    <ObjectsPanel
      {...{ actor, found }}
      collection="connection-contracts"
      title={partners.access}
      empty={partners.none.access}
      columns={[
        { title: partners.server, cell: ({ cluster, server }) => <OutsideText text={`${cluster} · ${server}`} /> },
        { title: partners.state, cell: ({ enabled }) => (enabled ? partners.enabled : partners.disabled) },
        {
          title: partners.clauses,
          cell: (contract) =>
            contract.clauses.map(({ user, group, vfs, mountPath }) => (
              <div key={`${user ?? ''} ${group ?? ''} ${vfs} ${mountPath}`}>
                <OutsideText text={user ?? partners.group(group ?? '')} /> → <OutsideText text={vfs} />{' '}
                <OutsideText text={mountPath} />{' '}
                {user !== undefined && <ExplainLink user={user} path={mountPath} contract={contract} />}
              </div>
            )),
        },
      ]}
    />
  );
}

function Contracts({ actor }: { readonly actor: string }) {
  const found = useObjectsOf('contracts', contractSchema, actor);
  const maySeeWorkflows = usePermissions().mayForAll('configuration:read');
  return (
    <ObjectsPanel
      {...{ actor, found }}
      collection="contracts"
      title={partners.contracts}
      empty={partners.none.contracts}
      columns={[
        { title: partners.state, cell: ({ enabled }) => (enabled ? partners.enabled : partners.disabled) },
        {
          title: partners.actions,
          cell: ({ actions }) =>
            actions.map(({ name, workflow, trigger }) => (
              <div key={name}>
                <OutsideText text={name} /> · {trigger.type} ·{' '}
                <OptionalLink
                  href={`/configuration/workflow-templates/${encodeURIComponent(workflow)}`}
                  isLink={maySeeWorkflows}
                  text={workflow}
                />
              </div>
            )),
        },
      ]}
    />
  );
}

function Connections({ actor }: { readonly actor: string }) {
  const found = useObjectsOf('client-connections', connectionSchema, actor);
  return (
    <ObjectsPanel
      {...{ actor, found }}
      collection="client-connections"
      title={partners.connections}
      empty={partners.none.connections}
      columns={[{ title: partners.kind, cell: ({ type }) => type }]}
    />
  );
}
