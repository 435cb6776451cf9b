import type { Directory } from '@waybill/directory/directory';
import type { Authenticator } from '@waybill/http-kit/routing/route';
import type { AccountHolder, Caller } from '../../domain/access/caller.ts';
import type { ServerPlace } from '../../domain/access/origin-of.ts';

/**
 * Authenticates like `authenticateAccount`, together with what the caller sees on this server now: before anything else of a
 * request is read. @throws CodedError `not_authenticated`, `connection_contract_missing`
 */
export function createCallerAuthenticator(ports: {
  authenticateAccount: Authenticator<AccountHolder>;
  directory: Pick<Directory, 'openMounts'>;
  server: ServerPlace;
}): Authenticator<Caller> {
  const { authenticateAccount, directory, server } = ports;
  return async (context) => {
    const holder = await authenticateAccount(context);
    const place = { cluster: server.clusterName, server: server.serverName };
    return { ...holder, mounts: await directory.openMounts(holder.user, place) };
  };
}
