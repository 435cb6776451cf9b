import {
  explainAccessEndpoint,
  type AccessExplanation,
} from '@waybill/contracts/endpoints/administration/explain-access';
import { permissionSchema } from '@waybill/contracts/values/permission';
import type { Protocol } from '@waybill/contracts/values/protocol';
import { type Command, ExitCode, exitCodes, type Invocation, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, flagOption, givenTexts, textOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

const protocols = ['sftp', 'http'] as const;

/** Explains whether a user may do something at a path. */
export const explainCommand: Command = {
  summary:
    'Explains whether a user may do something at a path, with the rules that decide. Exit code 3: the user may not.',
  usage:
    '<user> <operation> <path> --protocol <sftp|http> [--address <address>] [--cluster <name>] [--server <name>] [--json]',
  examples: [
    'waybill explain acme download /outbox/march.csv --protocol sftp',
    'waybill explain acme upload /inbox/x --protocol http --address 192.0.2.7 --json',
  ],
  positionals: ['user', 'operation', 'path'],
  options: {
    ...platformOptions,
    protocol: textOption,
    address: textOption,
    cluster: textOption,
    server: textOption,
    json: flagOption,
  },
  choices: { protocol: protocols },
  run: async ({ values, positionals: [user = '', wanted = '', path = ''], out, err, env }) => {
    const operation = permissionSchema.options.find((permission) => permission === wanted);
    if (!operation) throw new UsageError(`the operation is one of ${permissionSchema.options.join(', ')}`);
    const protocol = protocolOf(values);
    const body = { user, protocol, operation, path, ...givenTexts(values, ['address', 'cluster', 'server']) };
    const explained = await requestPlatform({ values, env }, explainAccessEndpoint, { body });
    if (values['json'] === true) out(JSON.stringify(explained));
    else for (const line of describe(explained)) out(line);
    if (explained.allowed) return;
    err(`waybill explain: ${sentenceOf(explained)}`);
    throw new ExitCode(exitCodes.refused);
  },
};

/** Names are not case-sensitive. */
function protocolOf(values: Invocation['values']): Protocol {
  const given = { protocol: String(values['protocol'] ?? '').toLowerCase() };
  return choiceOf(given, 'protocol', protocols) === 'http' ? 'HTTP' : 'SFTP';
}

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
