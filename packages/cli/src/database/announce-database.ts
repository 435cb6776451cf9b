import type { Invocation } from '../command.ts';
import { announce, platformOfDatabase } from '../platform/target.ts';
import { databaseAddressOf } from './with-database.ts';

/** Says which database a command is about. @throws CodedError `configuration_invalid` if its address is invalid */
export function announceDatabase(invocation: Invocation): void {
  const { env } = invocation;
  const { host, pathname } = new URL(databaseAddressOf(env));
  const place = `${pathname.slice(1)} at ${host === '' ? 'this machine' : host}`;
  const platform = env[platformOfDatabase];
  announce(invocation, platform ? `the database of ${platform} (${place})` : `the database ${place}`);
}
