import {
  changeObjectsEndpoint,
  type GivenObjectChange,
} from '@waybill/contracts/endpoints/administration/change-objects';
import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { callEndpoint } from '../../api/call-endpoint.ts';
import type { Server } from '../related/servers.ts';

/** A server on which a new partner gets a Connection Contract. */
export interface ChosenServer extends Pick<Server, 'cluster' | 'server'> {
  /** The name of the contract; empty: the usual one. */
  readonly contract: string;
}

/** The fields of a new partner with a text. */
export interface NewPartnerTexts {
  readonly actor: string;
  readonly user: string;
  readonly password: string;
  /** Several are one a line. */
  readonly publicKey: string;
  readonly files: string;
  /** One a line. */
  readonly folders: string;
}

/** What a new partner is created with. */
export interface NewPartner extends NewPartnerTexts {
  readonly servers: readonly ChosenServer[];
}

/** The objects of a new partner, in the order in which they refer to each other. */
export function objectsOf(given: NewPartner): GivenObjectChange[] {
  const actor = given.actor.trim();
  const name = (text: string, otherwise: string): string => text.trim() || otherwise;
  const user = name(given.user, actor);
  const files = name(given.files, usualFilesName(actor));
  const lines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);
  const owned = (collection: string, objectName: string) => ({ collection, name: objectName, actor });
  return [
    { object: { collection: 'actors', name: actor }, create: { type: 'Partner' } },
    {
      object: owned('users', user),
      create: {
        ...(given.password !== '' && { password: given.password, passwordChangeRequired: true }),
        ...(given.publicKey.trim() !== '' && { publicKeys: lines(given.publicKey) }),
      },
    },
    { object: owned('virtual-file-systems', files), create: { folders: lines(given.folders) } },
    ...given.servers.map(({ cluster, server, contract }) => ({
      object: owned(
        'connection-contracts',
        name(contract, usualContractName(actor, { cluster, server }, given.servers)),
      ),
      create: { cluster, server, clauses: [{ user, vfs: files }] },
    })),
  ];
}

/** Creates everything of a new partner, or nothing. @throws RequestFailure */
export async function createPartner(given: NewPartner): Promise<void> {
  await callEndpoint(changeObjectsEndpoint, { body: { changes: objectsOf(given) } });
}

/** What creating a partner would do. @throws RequestFailure, as creating it would */
export async function previewPartner(given: NewPartner): Promise<ChangePreview> {
  const body = { changes: objectsOf(given) };
  const preview = await callEndpoint(changeObjectsEndpoint, { body, query: { dryRun: 'true' } });
  return { consequences: [], uses: [], ...preview };
}

/** What the virtual file system of a new partner is called, unless somebody chooses a name. */
export function usualFilesName(actor: string): string {
  return `${actor}-files`;
}

/** The same for its Connection Contract on a server, which has the cluster where several chosen servers have one name. */
export function usualContractName(
  actor: string,
  { cluster, server }: Pick<Server, 'cluster' | 'server'>,
  chosen: readonly ChosenServer[],
): string {
  const isAmbiguous = chosen.some((other) => other.server === server && other.cluster !== cluster);
  return [actor, ...(isAmbiguous ? [cluster] : []), server].join('-');
}
