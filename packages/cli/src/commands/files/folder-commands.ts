import { createFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/create-folder';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import { deleteFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-folder';
import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { listFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/list-folder';
import { moveElementEndpoint } from '@waybill/contracts/endpoints/files/elements/move-element';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import type { Command, Invocation } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { flagOption, jsonOption, textOption } from '../../platform/option-values.ts';
import { pagePrinter, printOne } from '../../platform/print-rows.ts';
import { sizeText } from '../../platform/progress-bar.ts';

const options = { ...platformOptions, json: jsonOption };
const pageSize = 5_000;

/** Lists a folder. */
export const listFilesCommand: Command = {
  summary: 'Lists a folder as a partner: the root without a path.',
  examples: ['waybill files ls /inbox', "waybill files ls /outbox --filter '*.csv' --json | jq -r .id"],
  optionalArguments: { path: 'The path of the file or the folder.' },
  options: { ...options, filter: textOption('pattern', 'Only names that match; * matches any sequence.') },
  run: async (invocation) => {
    await using client = await openPlatform(invocation, { side: 'partner' });
    const [path = ''] = invocation.positionals;
    const print = pagePrinter<FileElement>(invocation, [
      ['TYPE', ({ directory }) => (directory ? 'folder' : 'file')],
      ['SIZE', ({ directory, attributes }) => (directory ? '' : sizeText(Number(attributes.size ?? 0)))],
      ['STORED', ({ attributes }) => attributes.putDate ?? ''],
      ['NAME', ({ filename, directory }) => `${filename}${directory ? '/' : ''}`],
    ]);
    for await (const page of pagesOf(client, path, invocation)) print(page);
  },
};

async function* pagesOf(
  { call }: PlatformClient,
  path: string,
  { values, interruption }: Invocation,
): AsyncGenerator<FileElement[]> {
  const filter = typeof values['filter'] === 'string' ? { filter: values['filter'] } : {};
  for (let start = 0; ; start += pageSize) {
    const query = { ...filter, start: String(start), limit: String(pageSize), attributes: 'size,putDate' };
    const { files } = (await call(listFolderEndpoint, { params: { path }, query, signal: interruption?.() })).body;
    if (start === 0 || files.length > 0) yield files;
    if (files.length < pageSize) return;
  }
}

/** Deletes a file or a folder. */
export const removeFileCommand: Command = {
  summary: 'Deletes a file, or an empty folder, as a partner; with `--recursive` a folder with its content.',
  examples: ['waybill files rm /inbox/march.csv', 'waybill files rm /archive/2024 --recursive'],
  arguments: { path: 'The path of the file or the folder.' },
  options: { ...options, recursive: flagOption('Deletes a folder with its content.') },
  run: async (invocation) => {
    const [path = ''] = invocation.positionals;
    await using client = await openPlatform(invocation, { side: 'partner' });
    if (invocation.values['recursive'] === true) await removeFolder(client, path, 'true');
    else await removeElement(client, path);
    printOne(invocation, { path, deleted: true }, [`${path} was deleted`]);
  },
};

/** A path does not say whether it is a folder: one that is not a file may be one. */
async function removeElement(client: PlatformClient, path: string): Promise<void> {
  try {
    await client.call(deleteFileEndpoint, { params: { path } });
  } catch (error) {
    if (!isPlatformError(error, 'file_not_found', 'path_not_found', 'delete_request_invalid')) throw error;
    await removeFolder(client, path, 'false').catch((second: unknown) => {
      throw isPlatformError(second, 'path_not_found', 'not_a_folder', 'filename_missing') ? error : second;
    });
  }
}

async function removeFolder({ call }: PlatformClient, path: string, recursive: 'true' | 'false'): Promise<void> {
  await call(deleteFolderEndpoint, { params: { path }, query: { recursive } });
}

/** Renames or moves a file or a folder. */
export const moveFileCommand: Command = {
  summary: 'Renames or moves a file or a folder as a partner.',
  examples: ['waybill files mv /inbox/march.csv /inbox/done/march.csv'],
  arguments: { from: 'The present path.', to: 'The new path.' },
  options: { ...options, overwrite: flagOption('Replaces a file at the new path.') },
  run: async (invocation) => {
    const [from = '', to = ''] = invocation.positionals;
    await using client = await openPlatform(invocation, { side: 'partner' });
    await client.call(moveElementEndpoint, { body: { from, to, overwrite: invocation.values['overwrite'] === true } });
    printOne(invocation, { from, to }, [`${from} is now ${to}`]);
  },
};

/** Makes a folder. */
export const makeFolderCommand: Command = {
  summary: 'Makes a folder as a partner; the folder above it must exist.',
  examples: ['waybill files mkdir /inbox/2026'],
  arguments: { path: 'The path of the file or the folder.' },
  options,
  run: async (invocation) => {
    const [path = ''] = invocation.positionals;
    await using client = await openPlatform(invocation, { side: 'partner' });
    await client.call(createFolderEndpoint, { params: { path } });
    printOne(invocation, { path }, [`${path} was made`]);
  },
};
