import {
  deleteUnfinishedUploadEndpoint,
  listUnfinishedUploadsEndpoint,
  type UnfinishedUploadView,
} from '@waybill/contracts/endpoints/server-sessions/unfinished-upload-endpoints';
import { configuredPathSchema } from '@waybill/contracts/values/configured-names';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { type Command, CommandFailed, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { countOf, givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { pagePrinter, printOne } from '../../platform/print-rows.ts';
import { sizeText } from '../../platform/progress-bar.ts';
import { readPages } from '../../platform/read-pages.ts';
import { printable } from '../../platform/render-table.ts';

const options = { ...platformOptions, json: jsonOption };
/** Tables show the beginning of an id, which has its millisecond, and commands take it. */
const shownOfId = 13;
const pageSize = 500;

/** Lists the uploads that are no files yet. */
export const listUploadsCommand: Command = {
  summary:
    'Lists the uploads that run or were interrupted, over SFTP, over HTTP and by jobs, newest first: 50, or as many as `--limit` says.',
  examples: ['waybill uploads list', 'waybill uploads list --actor acme --path /inbox --limit 1000 --json'],
  options: {
    ...options,
    user: textOption('name', 'Only uploads of this user.'),
    actor: textOption('name', 'Only uploads of the users of this actor.'),
    vfs: textOption('name', 'Only uploads to this virtual file system.'),
    path: textOption('path', 'Only uploads to this file, or into this folder and those below it.'),
    limit: { ...textOption('number', 'How many are listed at most.'), usual: '50' },
  },
  run: async (invocation) => {
    let left = countOf(invocation.values, 'limit');
    const filters = filtersOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const readPage = async (cursor: object) => {
      const query = { ...filters, maxItems: Math.min(left, pageSize), ...cursor };
      return (await client.call(listUnfinishedUploadsEndpoint, { query })).body;
    };
    const print = pagePrinter<UnfinishedUploadView>(invocation, [
      ['UPLOAD', ({ uploadId }) => uploadId.slice(0, shownOfId)],
      ['STATE', ({ state }) => state],
      ['BY', ({ protocol }) => protocol ?? 'job'],
      ['USER', ({ userName }) => userName],
      ['BYTES', sizeOf],
      ['SINCE', ({ startedAt }) => startedAt],
      ['KEPT UNTIL', ({ keptUntil }) => keptUntil ?? ''],
      ['FILE', placeOf],
    ]);
    for await (const { items } of readPages(readPage)) {
      print(items);
      left -= items.length;
      if (left <= 0) return;
    }
  },
};

/** Deletes an upload that is no file yet. */
export const deleteUploadCommand: Command = {
  summary: 'Deletes an unfinished upload with what has arrived of it; it is named by the beginning of its id.',
  examples: ['waybill uploads delete 0195a1c2-7b1e'],
  arguments: { upload: 'The beginning of its id, at least 6 characters.' },
  options,
  run: async (invocation) => {
    const [beginning = ''] = invocation.positionals;
    if (!/^[\dA-F-]{6,36}$/iu.test(beginning)) {
      throw new UsageError('give at least 6 characters of the id of an upload');
    }
    await using client = await openPlatform(invocation, { side: 'manager' });
    const upload = await findUpload(client, beginning);
    await client.call(deleteUnfinishedUploadEndpoint, { params: { uploadId: upload.uploadId } });
    const whose = `${placeOf(upload)} by ${upload.userName}`;
    printOne(invocation, upload, [printable(`the upload of ${whose} was deleted: ${sizeOf(upload)}`)]);
  },
};

function filtersOf({ values }: Invocation) {
  const { user: userName, actor, vfs: virtualFileSystem, path } = givenTexts(values, ['user', 'actor', 'vfs', 'path']);
  if (path !== undefined && !configuredPathSchema.safeParse(path).success) {
    throw new UsageError('--path is an absolute path without a trailing slash, such as /inbox');
  }
  return { userName, actor, virtualFileSystem, path };
}

function sizeOf({ bytes, length }: UnfinishedUploadView): string {
  const arrived = bytes === null ? 'unknown' : sizeText(bytes);
  return length === null ? arrived : `${arrived} of ${sizeText(length)}`;
}

function placeOf({ virtualFileSystem, path }: UnfinishedUploadView): string {
  return `${virtualFileSystem ?? '?'}:${path ?? '?'}`;
}

async function findUpload(client: PlatformClient, beginning: string): Promise<UnfinishedUploadView> {
  const found: UnfinishedUploadView[] = [];
  const readPage = async (cursor: object) =>
    (await client.call(listUnfinishedUploadsEndpoint, { query: { maxItems: pageSize, ...cursor } })).body;
  for await (const { items } of readPages(readPage)) {
    found.push(...items.filter(({ uploadId }) => uploadId.startsWith(beginning.toLowerCase())));
  }
  const [upload] = found;
  if (!upload) {
    throw new CommandFailed(`there is no unfinished upload ${beginning}; \`waybill uploads list\` lists them`);
  }
  if (found.length > 1) throw new CommandFailed(`${found.length} uploads begin with ${beginning}: give more of the id`);
  return upload;
}
