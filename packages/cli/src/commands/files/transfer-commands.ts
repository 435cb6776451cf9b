import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { downloadFileEndpoint } from '@waybill/contracts/endpoints/files/downloads/download-file';
import { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { downloadFile } from '@waybill/platform-client/transfers/download-file';
import { storingTimeoutMs } from '@waybill/platform-client/transfers/transfer-options';
import { uploadFile } from '@waybill/platform-client/transfers/upload-file';
import { type Command, CommandFailed, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { flagOption, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { showProgress, sizeText } from '../../platform/progress-bar.ts';

const options = { ...platformOptions, json: jsonOption, quiet: flagOption('Shows no progress bar.') };

/** Uploads a file. */
export const putFileCommand: Command = {
  summary:
    'Uploads a file as a partner, or standard input (`-`). A path that ends with a slash is a folder. After an interruption the same command resumes.',
  examples: ['waybill files put march.csv /inbox/', 'tar c reports | waybill files put - /inbox/reports.tar'],
  arguments: { file: 'The file on this machine; `-` for standard input or output.', path: 'The path on the platform.' },
  options: {
    ...options,
    type: textOption('media type', 'The media type of the file, such as text/csv.'),
    'keep-existing': flagOption('Refuses if there is a file at the path.'),
  },
  run: async (invocation) => {
    const [file = '', place = ''] = invocation.positionals;
    await using client = await openPlatform(invocation, { side: 'partner' });
    if (file === '-') {
      await putStream(invocation, client, place);
      return;
    }
    const path = place.endsWith('/') || place === '' ? `${place}${basename(file)}` : place;
    const { type } = invocation.values;
    const progress = showProgress(invocation, basename(file));
    const upload = {
      file,
      path,
      ...(typeof type === 'string' && { mediaType: type }),
      overwrite: invocation.values['keep-existing'] !== true,
      signal: invocation.interruption?.(),
      onProgress: progress.onProgress,
    };
    const stored = await explained(invocation, () => uploadFile(client, upload)).finally(progress.end);
    const resumed = stored.resumedAt > 0 ? `, resumed at ${sizeText(stored.resumedAt)}` : '';
    printOne(invocation, { path, ...stored }, [`${path}: ${sizeText(stored.size)} stored${resumed}`]);
  },
};

async function putStream(invocation: Invocation, { call }: PlatformClient, path: string): Promise<void> {
  if (path === '' || path.endsWith('/')) throw new UsageError('standard input needs a path with a name');
  if (!invocation.input) throw new UsageError('standard input is a terminal');
  const { type, 'keep-existing': keepsExisting } = invocation.values;
  const { headers } = await call(uploadFileEndpoint, {
    params: { path },
    headers: keepsExisting === true ? { 'if-none-match': '*' } : {},
    body: Readable.from(invocation.input),
    contentType: typeof type === 'string' ? type : 'application/octet-stream',
    timeoutMs: storingTimeoutMs,
    signal: invocation.interruption?.(),
  });
  const [size, sha256] = [Number(headers['x-file-size']), headers['x-file-sha256']];
  printOne(invocation, { path, size, sha256, fileset: headers['x-fileset'] }, [`${path}: ${sizeText(size)} stored`]);
}

/** Downloads a file. */
export const getFileCommand: Command = {
  summary:
    'Downloads a file as a partner, into the present folder, a file, or standard output (`-`). After an interruption the same command resumes.',
  examples: ['waybill files get /outbox/march.csv.gz', 'waybill files get /outbox/march.csv.gz - | gunzip | head'],
  arguments: { path: 'The path on the platform.' },
  optionalArguments: { file: 'The file on this machine; `-` for standard input or output.' },
  options,
  run: async (invocation) => {
    const [path = '', target = '.'] = invocation.positionals;
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'partner' });
    if (target === '-') {
      if (!invocation.output) throw new UsageError('there is no standard output');
      const { body } = await client.call(downloadFileEndpoint, { params: { path }, signal });
      if (body === undefined) throw new CommandFailed('the answer has no content');
      await pipeline(body, invocation.output, { end: false, ...(signal && { signal }) });
      return;
    }
    const file = (await isFolder(target)) ? join(target, basename(path)) : target;
    const progress = showProgress(invocation, basename(path));
    const download = { path, file, signal, onProgress: progress.onProgress };
    const received = await explained(invocation, () => downloadFile(client, download)).finally(progress.end);
    const resumed = received.resumedAt > 0 ? `, resumed at ${sizeText(received.resumedAt)}` : '';
    printOne(invocation, { path, file, ...received }, [`${file}: ${sizeText(received.size)} received${resumed}`]);
  },
};

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Errors of the own disk in one sentence; an interruption with what to do. */
async function explained<T>({ err, interruption }: Invocation, transfer: () => Promise<T>): Promise<T> {
  try {
    return await transfer();
  } catch (error) {
    if (interruption?.().aborted === true) err('Interrupted: the same command resumes the transfer.');
    else if (error instanceof Error && 'syscall' in error) throw new CommandFailed(error.message, { cause: error });
    throw error;
  }
}
