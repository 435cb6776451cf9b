import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv } from 'node:util';
import {
  readRemembered,
  type RememberedConfiguration,
} from '@waybill/local-platform/configuration/remembered-configuration';
import { withBasePort } from '@waybill/local-platform/configuration/with-base-port';
import { recordedProcess } from '@waybill/private-datastores/process-identity';
import { Refusal } from '@waybill/private-datastores/refusal';
import { type KnownPassword, knownPassword, type TourUser } from './passwords.ts';

/** Where the tour goes. */
export interface Itinerary {
  /** Base address of the partners' side, as in `http://127.0.0.1:8080`. */
  http: string;
  /** Base address of the administrators' side; `npm start` has one address for both. */
  admin: string;
  /** Base addresses of `audit` and of the HTTP interface of `sftp-gateway`; without a proxy in front they have their own. */
  audit: string;
  gateway: string;
  sftp: { host: string; port: number };
  /** Private key that logs in as acme; undefined if there is none. */
  keyFile: string | undefined;
  /** Passwords of the demo's users that the tour logs in as. */
  passwords: Readonly<Record<TourUser, KnownPassword>>;
  /** The peers that an SFTP session may be on; those that the platform does not know are ignored. */
  peers: readonly string[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

const usage =
  'npm run tour -- [--http http://127.0.0.1:8080] [--admin <as --http>] [--audit <as --admin>] [--gateway <as --admin>] [--sftp 127.0.0.1:2222] [--key .waybill/keys/acme] [--peers peer1,peer2]';

/**
 * Reads the addresses from the command line, else from the variables of `npm start`, else from the platform that it
 * runs here.
 * @throws Refusal if the command line is invalid
 */
export function readItinerary(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Itinerary {
  const given = optionsOf(args);
  if (given.key !== undefined && !existsSync(given.key)) throw new Refusal(`There is no key at ${given.key}.`);
  const running = findRunningPlatform(path.resolve(root, env['WAYBILL_DIR'] || '.waybill'));
  const named = withBasePort(env);
  const portOf = (variable: string, usual: string) => named[variable] || running?.ports[variable] || usual;
  const here = {
    http: `http://127.0.0.1:${running?.ports['WAYBILL_EDGE_PORT']}`,
    sftp: `127.0.0.1:${running?.ports['WAYBILL_SFTP_PORT']}`,
  };
  const [host = '', port = ''] = (given.sftp ?? `127.0.0.1:${portOf('WAYBILL_SFTP_PORT', '2222')}`).split(':');
  const http = given.http ?? `http://127.0.0.1:${portOf('WAYBILL_EDGE_PORT', '8080')}`;
  const admin = given.admin ?? http;
  const addresses = { http, admin, audit: given.audit ?? admin, gateway: given.gateway ?? admin };
  // The passwords of this platform are sent to no other one.
  const isHere = Object.values(addresses).every((each) => each === here.http) && `${host}:${port}` === here.sftp;
  const remembered = isHere ? running?.remembered() : undefined;
  return {
    ...addresses,
    passwords: { acme: knownPassword('acme', env, remembered), admin: knownPassword('admin', env, remembered) },
    sftp: { host, port: Number(port) },
    keyFile: given.key ?? running?.keyFile,
    peers: (given.peers ?? 'peer1,peer2').split(','),
  };
}

/**
 * The platform that `npm start` runs on this machine; only this platform accepts the key that it generated for
 * acme.
 */
interface RunningPlatform {
  readonly ports: Readonly<Record<string, string | undefined>>;
  readonly keyFile: string;
  /** The applied configuration, and the sources of its values. */
  remembered(): RememberedConfiguration | undefined;
}

function findRunningPlatform(folder: string): RunningPlatform | undefined {
  if (recordedProcess(path.join(folder, 'run', 'platform.pid')) === undefined) return undefined;
  const portsFile = path.join(folder, 'environments', 'tour.env');
  return {
    ports: existsSync(portsFile) ? parseEnv(readFileSync(portsFile, 'utf8')) : {},
    keyFile: path.join(folder, 'keys', 'acme'),
    remembered: () => readRemembered(path.join(folder, 'configuration.json')),
  };
}

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const addresses = { http: text, admin: text, audit: text, gateway: text, sftp: text };
    return parseArgs({ args: [...args], options: { ...addresses, key: text, peers: text } }).values;
  } catch (err) {
    throw new Refusal(`${err instanceof Error ? err.message : String(err)}\nUsage: ${usage}`);
  }
}
