import {
  deleteSecretEndpoint,
  listSecretsEndpoint,
  storeSecretEndpoint,
} from '@waybill/contracts/endpoints/administration/secret-endpoints';
import type { Secret } from '@waybill/service-kit/config/secret';
import type { Command, Invocation } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import {
  choiceOf,
  choiceOption,
  flagOption,
  givenTexts,
  jsonOption,
  textOption,
} from '../../platform/option-values.ts';
import { printRows } from '../../platform/print-rows.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { readSecretInput } from './read-secret-input.ts';
import { nameOf, type SecretId, secretIdOf } from './secret-identity.ts';

/** Stores a secret on a platform. Its value is never an argument: other users of the machine see arguments. */
export const setSecretRemotelyCommand: Command = {
  summary: 'Stores a secret, encrypted, for `secret://<name>`. The value is read from standard input or from a file.',
  examples: [
    'waybill secret set globex-password < password.txt',
    'waybill secret set globex-password --actor acme --file password.txt',
  ],
  arguments: { name: 'The name of the secret.' },
  options: {
    ...platformOptions,
    actor: textOption('name', 'The actor that it belongs to.'),
    file: textOption('file', 'The file with the value; standard input if it is left out.'),
  },
  run: async (invocation) => {
    const id = secretIdOf(invocation);
    const { isNew } = await storeSecretRemotely(invocation, id, await readSecretInput(invocation));
    invocation.out(`${isNew ? '+' : '~'} Secret ${nameOf(id)}`);
  },
};

/** The orders of a list of secrets. */
export const secretOrders = ['actor', '-actor', 'name', '-name'] as const;

/** Shows what secrets a platform has, without their values. */
export const listSecretsRemotelyCommand: Command = {
  summary: 'Shows the names of secrets, the keys that encrypt them, and when they were set. Values are never shown.',
  examples: [
    'waybill secret list',
    "waybill secret list --name 'globex-*' --sort name",
    'waybill secret list --actor acme --json',
  ],
  options: {
    ...platformOptions,
    actor: textOption('name', 'The actor that it belongs to.'),
    name: textOption('name', 'Only this name; `*` matches any sequence.'),
    sort: choiceOption(
      'order',
      secretOrders,
      'By actor and name, or by name and actor; with - before it, in descending order.',
    ),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values } = invocation;
    const query = { ...givenTexts(values, ['actor', 'name']), sort: choiceOf(values, 'sort', secretOrders) };
    const secrets = await readItems((page) =>
      requestPlatform(invocation, listSecretsEndpoint, { query: { ...query, ...page } }),
    );
    printSecrets(invocation, secrets);
  },
};

/** Deletes a secret of a platform. */
export const deleteSecretRemotelyCommand: Command = {
  summary:
    'Deletes a secret. One that client connections or PGP keys refer to is kept, unless --force is given: they fail from then on.',
  examples: ['waybill secret delete globex-password --actor acme'],
  arguments: { name: 'The name of the secret.' },
  options: {
    ...platformOptions,
    actor: textOption('name', 'The actor that it belongs to.'),
    force: flagOption('Deletes it even if something refers to it.'),
  },
  run: async (invocation) => {
    const id = secretIdOf(invocation);
    const force = invocation.values['force'] === true ? ({ force: 'true' } as const) : {};
    const query = { ...ownerOf(id), ...force };
    await requestPlatform(invocation, deleteSecretEndpoint, { params: { name: id.name }, query });
    invocation.out(`- Secret ${nameOf(id)}`);
  },
};

/** Stores a secret on the platform that the command names. Returns whether it is new. @throws PlatformError */
export async function storeSecretRemotely(
  { values, env }: Pick<Invocation, 'values' | 'env'>,
  id: SecretId,
  value: Secret,
): Promise<{ readonly isNew: boolean }> {
  await using client = await openPlatform({ values, env }, { side: 'manager' });
  const request = { params: { name: id.name }, query: ownerOf(id), body: { value: value.reveal() } };
  const { status } = await client.call(storeSecretEndpoint, request);
  return { isNew: status === 201 };
}

/** What is shown of a secret. */
interface ShownSecret {
  readonly name: string;
  readonly actor: string | null;
  readonly keyId: string;
  readonly updatedAt: string;
}

/** Prints secrets, without their values. */
export function printSecrets(invocation: Invocation, secrets: readonly ShownSecret[]): void {
  printRows(invocation, secrets, [
    ['NAME', ({ name }) => name],
    ['ACTOR', ({ actor }) => actor ?? ''],
    ['KEY', ({ keyId }) => keyId],
    ['SET', ({ updatedAt }) => updatedAt],
  ]);
}

/** The owner of a secret in a request. */
export function ownerOf({ owner }: SecretId): { readonly actor?: string } {
  return owner === '' ? {} : { actor: owner };
}
