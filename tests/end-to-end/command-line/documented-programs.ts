import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A program in a page of documentation. */
export interface DocumentedProgram {
  /** The file name in its first line, `// upload.ts`, without the end. */
  readonly name: string;
  readonly text: string;
}

/**
 * Writes each TypeScript block of a page as a file of `folder`, in the order of the page, with the addresses of its platform
 * replaced by `url`.
 */
export async function writePrograms(page: string, folder: string, url: string): Promise<DocumentedProgram[]> {
  const blocks = (await readFile(page, 'utf8')).matchAll(/^```ts\n(.*?)^```$/gmsu);
  const programs = [...blocks].map(([, block = '']) => {
    const name = /^\/\/ ([a-z-]+)\.ts\n/u.exec(block)?.[1];
    if (name === undefined) throw new Error(`${page}: the first line of a program is not its file name:\n${block}`);
    return { name, text: block.replaceAll(/https:\/\/files\.example\.org(?::\d+)?/gu, url) };
  });
  await mkdir(folder, { recursive: true });
  await Promise.all(programs.map(async ({ name, text }) => writeFile(join(folder, `${name}.ts`), text)));
  return programs;
}

/** A strict project for the programs in `folders`, which also checks all declarations of the package. */
export const strictProject = (folders: readonly string[]) => ({
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
    strict: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  },
  include: [...folders, 'node_modules/@waybill/client/dist'],
  exclude: ['out'],
});

/** A program whose lines with `refused` the compiler refuses, and no other: the types are those of the contracts. */
export const refusedProgram = `
import type { PlatformClient } from '@waybill/client/create-client';
import { partEndpoints } from '@waybill/client/endpoints/administration/part-endpoints';
import { parts } from '@waybill/client/endpoints/administration/part-table';
import { resourceEndpoints } from '@waybill/client/endpoints/administration/resource-endpoints';
import { resources } from '@waybill/client/endpoints/administration/resource-table';
import { listJobsEndpoint } from '@waybill/client/endpoints/jobs/list-jobs';
import { submitJobEndpoint } from '@waybill/client/endpoints/jobs/submit-job';

export async function check(client: PlatformClient): Promise<number | undefined> {
  const { status, body } = await client.call(listJobsEndpoint, { query: { status: 'ERROR' } });
  const expected: 200 = status;
  await client.call(listJobsEndpoint, { query: { status: 'UNKNOWN' } }); // refused: no job has this status
  await client.call(submitJobEndpoint, { body: {} }); // refused: the contract is missing
  void body.invoices; // refused: the answer has jobs
  const params = { name: 'acme' };
  const { change, create, replace } = resourceEndpoints(resources.users);
  await client.call(create, { body: { name: 'ann', actor: 'acme', groups: ['sales'] } });
  await client.call(create, { body: { name: 'ann', actor: 'acme', group: 'sales' } }); // refused: no such setting
  await client.call(create, { body: { name: 'ann' } }); // refused: users belong to an actor
  await client.call(replace, { params, body: { actor: 'acme', enabled: 'no' } }); // refused: it is true or false
  await client.call(change, { params, body: { enabled: false, groups: null, actor: 'acme' } });
  await client.call(change, { params, body: { enabledd: false } }); // refused: users have no such setting
  await client.call(change, { params, body: { enabled: 'no' } }); // refused: it is true or false
  await client.call(change, { params, body: { password: null } }); // refused: it can only be replaced
  const { change: changeFolder } = resourceEndpoints(resources['virtual-file-systems']);
  await client.call(changeFolder, { params, body: { retention: { hoursAfterGet: 3 } } });
  await client.call(changeFolder, { params, body: { retention: { hours: 3 } } }); // refused: no such rule
  const { change: changeServer } = partEndpoints(parts.servers);
  await client.call(changeServer, { params, query: { cluster: 'a' }, body: { maxSession: 3 } }); // refused: no such setting
  return expected + (body.jobs[0]?.id ?? 0);
}
`;

/** The places of the errors in the output of the compiler: `readme/upload.ts:5`. */
export function errorPlaces(output: string): string[] {
  return [...output.matchAll(/^(\S+?)\((\d+),\d+\): error /gmu)].map(([, file, line]) => `${file}:${line}`);
}

/** The places that the compiler refuses in `refusedProgram`. */
export function refusedPlaces(file: string): string[] {
  const lines = refusedProgram.split('\n');
  return lines.flatMap((line, index) => (line.includes('// refused') ? [`${file}:${index + 1}`] : []));
}
