import {
  explainAccessEndpoint,
  type AccessExplanation,
} from '@waybill/contracts/endpoints/administration/explain-access';
import { type Command, ExitCode } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const text = { type: 'string' } as const;

/** Explains whether a user may do something at a path. */
export const explainCommand: Command = {
  summary:
    'Explains whether a user may do something at a path, with the rules that decide. Exit code 3: the user may not.',
  usage:
    '<user> <operation> <path> --protocol <sftp|http> [--address <address>] [--cluster <name>] [--server <name>] [--json]',
  positionals: ['user', 'operation', 'path'],
  options: {
    ...platformOptions,
    protocol: text,
    address: text,
    cluster: text,
    server: text,
    json: { type: 'boolean' },
  },
  run: async ({ values, positionals: [user, operation, path], out, err, env }) => {
    const { protocol, address, cluster, server } = values;
    const question = { user, operation, path, address, cluster, server };
    const { method, path: endpoint, responses } = explainAccessEndpoint;
    const explained = await requestPlatform(
      { values, env },
      {
        method,
        path: endpoint,
        body: { ...question, protocol: typeof protocol === 'string' ? protocol.toUpperCase() : undefined },
        response: responses[200].body.schema,
      },
    );
    if (values['json'] === true) out(JSON.stringify(explained));
    else for (const line of describe(explained)) out(line);
    if (explained.allowed) return;
    err(`waybill explain: ${sentenceOf(explained)}`);
    throw new ExitCode(notAllowed);
  },
};

/** The exit code if the user may not. */
const notAllowed = 3;

function describe(explained: AccessExplanation): string[] {
  const rows = explained.rules.map(({ rule, name, allows, why }) => ({
    verdict: allows ? 'yes' : 'no',
    rule,
    name,
    why,
  }));
  const width = (column: 'rule' | 'name'): number => Math.max(...rows.map((row) => row[column].length));
  const lines = rows.map(
    ({ verdict, rule, name, why }) =>
      `  ${verdict.padEnd(3)}  ${rule.padEnd(width('rule'))}  ${name.padEnd(width('name'))}  ${why}`,
  );
  return [`${sentenceOf(explained)}:`, ...lines];
}

function sentenceOf({ user, operation, path, protocol, allowed, cluster, server }: AccessExplanation): string {
  const place = server === undefined ? '' : ` (${cluster}/${server})`;
  return `${user} ${allowed ? 'may' : 'may not'} ${operation} ${path} over ${protocol}${place}`;
}
