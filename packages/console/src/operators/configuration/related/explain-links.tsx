import type { Permission } from '@waybill/contracts/values/permission';
import { Link } from 'react-aria-components';
import { texts } from '../../texts/texts.ts';
import { type ConnectionContract, entriesOf, isFor } from './connection-contracts.ts';
import { useServers } from './servers.ts';

const { partners } = texts;

/** Leads to the explanation of a question about a folder, on the server of a Connection Contract if there is one. */
export function ExplainLink(props: {
  readonly user: string;
  readonly path: string;
  /** Default: a folder is listed. What a Connection Contract mounts cannot be downloaded as a whole. */
  readonly operation?: Permission;
  readonly contract?: Pick<ConnectionContract, 'cluster' | 'server'> | undefined;
}) {
  const { user, path, operation = 'list', contract } = props;
  const servers = useServers();
  const found =
    contract && servers?.find(({ cluster, server }) => cluster === contract.cluster && server === contract.server);
  const question = new URLSearchParams({
    user,
    path,
    operation,
    ...(found && { protocol: found.protocol }),
    ...(contract && { cluster: contract.cluster, server: contract.server }),
  });
  return (
    <Link
      href={`/access?${question.toString()}`}
      aria-label={partners.explainPath({ user, path, server: contract?.server })}
    >
      {partners.explain}
    </Link>
  );
}

/** What explains each place that a user finds, or why there is none. */
export function Explanations(props: {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Those of the user's actor; undefined as long as they are not known. */
  readonly contracts: readonly ConnectionContract[] | undefined;
}) {
  const { user, contracts } = props;
  if (contracts === undefined) return null;
  const entries = entriesOf(contracts, (clause) => isFor(clause, user));
  if (entries.length === 0)
    return (
      <>
        <span className="failure">{partners.noAccess}</span> <ExplainLink user={user.name} path="/" />
      </>
    );
  return entries.map(({ mountPath, contract }) => (
    <div key={mountPath}>
      <ExplainLink user={user.name} path={mountPath} contract={contract} />
    </div>
  ));
}
