import path from 'node:path';
import { type ConfigurationInForce, demoConfiguration } from './configuration/apply-configuration.ts';
import type { Config } from './configuration/config.ts';
import { passwordSource } from './configuration/known-password.ts';

/** The duration of the start, and the sources of the configuration's passwords. */
interface Start {
  /** The repository. */
  root: string;
  seconds: string;
  env: Readonly<Record<string, string | undefined>>;
  inForce: ConfigurationInForce;
}

/** What a newcomer needs to know once everything is up: addresses, credentials, commands to try. */
export function welcome(config: Config, start: Start): string {
  const { WAYBILL_EDGE_PORT: edge, WAYBILL_SFTP_PORT: sftp, WAYBILL_DIR: folder } = config;
  const api = `http://127.0.0.1:${edge}`;
  const { remembered, rejected } = start.inForce;
  const file = remembered?.file ?? path.resolve(start.root, demoConfiguration);
  const isDemo = rejected === undefined && file === path.resolve(start.root, demoConfiguration);
  return `
Waybill is up (${start.seconds} s). Ctrl-C stops all of it; the next start finds its data again.

  HTTP            ${api}
  files           ${api}/ui/
  console         ${api}/console/
  SFTP            127.0.0.1 port ${sftp}
${isDemo ? demoUsers(folder, start) : configurationLines(remembered?.file, rejected)}
  logs            ${folder}/logs
${isDemo ? commandsToTry({ edge, sftp, api }, start) : ''}`;
}

/** The file in force, if known, and the one that was rejected. */
function configurationLines(inForce: string | undefined, rejected: string | undefined): string {
  const files = inForce === undefined || inForce === rejected ? [] : [inForce];
  if (rejected !== undefined) files.push(`${rejected} (NOT applied: see above)`);
  return files.map((file, index) => `  ${index === 0 ? 'configuration' : '             '}   ${file}`).join('\n');
}

function demoUsers(folder: string, start: Start): string {
  const login = (user: string): string => `${user} / ${shownPassword(user, start)}`;
  return [
    `  administrator   ${login('admin')}`,
    `  partners        ${login('acme')}, ${login('globex')}`,
    `  acme's key      ${folder}/keys/acme`,
  ].join('\n');
}

function commandsToTry({ edge, sftp, api }: { edge: number; sftp: number; api: string }, start: Start): string {
  const elsewhere = edge === 8080 && sftp === 2222 ? '' : ` -- --http ${api} --sftp 127.0.0.1:${sftp}`;
  return `
Commands to try, in another terminal:

  sftp -P ${sftp} acme@127.0.0.1

  curl -si ${api}/2.0/login/basic -d username=acme -d ${passwordField(start)}

  npm run -s waybill -- login --url ${api} --user admin

  npm run tour${elsewhere}
`;
}

/** The demo's password, or the source of another one. */
function shownPassword(user: string, { env, inForce }: Start): string {
  if (inForce.keepers.has(user)) return '(the one that was set before)';
  const source = passwordSource(user, env, inForce.remembered);
  if ('demo' in source) return source.demo;
  return 'variable' in source ? `(${source.variable})` : `(in ${source.file})`;
}

/** The form field, quoted for a shell, without showing a password that is not the demo's. */
function passwordField({ env, inForce }: Start): string {
  if (inForce.keepers.has('acme')) return '"password=<password>"';
  const source = passwordSource('acme', env, inForce.remembered);
  if ('demo' in source) return `password=${source.demo}`;
  if ('file' in source) return `"password=$(cat '${source.file}')"`;
  return source.variable === 'ACME_PASSWORD' ? '"password=$ACME_PASSWORD"' : '"password=$(cat "$ACME_PASSWORD_FILE")"';
}
