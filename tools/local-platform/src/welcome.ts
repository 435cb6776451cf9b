import type { Config } from './config.ts';

/** How long the start took, and the environment that the passwords of the configuration were taken from. */
interface Start {
  seconds: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What a newcomer needs to know once everything is up: addresses, credentials, three commands to try. */
export function welcome(config: Config, { seconds, env }: Start): string {
  const { WAYBILL_EDGE_PORT: edge, WAYBILL_SFTP_PORT: sftp, WAYBILL_DIR: folder } = config;
  const api = `http://127.0.0.1:${edge}`;
  const elsewhere = edge === 8080 && sftp === 2222 ? '' : ` -- --http ${api} --sftp 127.0.0.1:${sftp}`;
  const password = (user: string): string => {
    const variable = `${user.toUpperCase()}_PASSWORD`;
    const given = [variable, `${variable}_FILE`].find((name) => env[name]);
    return given === undefined ? `${user}-demo` : `(${given})`;
  };
  return `
Waybill is up (${seconds} s). Ctrl-C stops all of it; the next start finds its data again.

  HTTP            ${api}
  SFTP            127.0.0.1 port ${sftp}
  administrator   admin / ${password('admin')}
  partners        acme / ${password('acme')}, globex / ${password('globex')}
  acme's key      ${folder}/keys/acme
  logs            ${folder}/logs

Three commands to try, in another terminal:

  sftp -P ${sftp} acme@127.0.0.1

  curl -si ${api}/2.0/login/basic -d username=acme -d ${passwordField(env)}

  npm run tour${elsewhere}
`;
}

/** The field of the form as a shell takes it, without showing a password that is not the demo's. */
function passwordField(env: Start['env']): string {
  if (env['ACME_PASSWORD']) return '"password=$ACME_PASSWORD"';
  return env['ACME_PASSWORD_FILE'] ? '"password=$(cat "$ACME_PASSWORD_FILE")"' : 'password=acme-demo';
}
