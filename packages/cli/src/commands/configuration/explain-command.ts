import {
  explainAccessEndpoint,
  type AccessExplanation,
} from '@waybill/contracts/endpoints/administration/explain-access';
import { permissionSchema } from '@waybill/contracts/values/permission';
import { type Command, ExitCode, exitCodes, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

const protocols = ['sftp', 'http'] as const;

/** Explains whether a user may do something at a path. */
export const explainCommand: Command = {
  summary:
    'Explains whether a user may do something at a path, with the rules that decide. Exit code 3: the user may not.',
  examples: [
    'waybill explain acme download /outbox/march.csv --protocol sftp',
    'waybill explain acme upload /inbox/x --protocol http --address 192.0.2.7 --json',
  ],
  arguments: {
    user: 'The name of the user.',
    operation: 'What the user wants to do.',
    path: 'The path that the user wants to use.',
  },
  words: { operation: permissionSchema.options },
  options: {
    ...platformOptions,
    protocol: { ...choiceOption('protocol', protocols, 'The protocol of the operation.'), isRequired: true },
    address: textOption('address', 'The IP address of the client, for rules about networks.'),
    cluster: textOption('name', 'The cluster of the server.'),
    server: textOption('name', 'The server that is connected to.'),
    json: jsonOption,
  },
  run: async ({ values, positionals: [user = '', wanted = '', path = ''], out, err, env }) => {
    const operation = permissionSchema.options.find((permission) => permission === wanted);
    if (!operation) throw new UsageError(`the operation is one of ${permissionSchema.options.join(', ')}`);
    const protocol = choiceOf(values, 'protocol', protocols) === 'http' ? ('HTTP' as const) : ('SFTP' as const);
    const body = { user, protocol, operation, path, ...givenTexts(values, ['address', 'cluster', 'server']) };
    const explained = await requestPlatform({ values, env }, explainAccessEndpoint, { body });
    if (values['json'] === true) out(JSON.stringify(explained));
    else for (const line of describe(explained)) out(line);
    if (explained.allowed) return;
    err(`waybill explain: ${sentenceOf(explained)}`);
    throw new ExitCode(exitCodes.refused);
  },
};

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
