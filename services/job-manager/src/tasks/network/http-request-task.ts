import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import { httpRequestSpecification } from '@waybill/contracts/tasks/network-specifications';
import { type HttpRequest, type RequestBody, textBody } from '@waybill/outbound/http/http-request';
import type { JobFiles, OpenedFile } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';
import { checkResponse, readText } from './check-response.ts';

const bodyBytesAtMost = 64 * 1024;

/** Sends a request. It may be sent more than once: the other side knows a repetition by its `Idempotency-Key`. */
export const httpRequestTask = defineTask({
  ...httpRequestSpecification,
  run: async (parameters, { connections, files, signal, log }) => {
    const { connection, method, path, headers, target } = parameters;
    const nothing = { status: '', body: '', path: '', fileset: '', size: '', sha256: '' };
    const earlier = target === undefined ? undefined : await files.written(target);
    if (earlier) {
      log(`An earlier attempt has written ${earlier.path}`);
      return { ...nothing, ...earlier };
    }
    await using file = parameters.source === undefined ? undefined : await openSource(files, parameters.source);
    if (file && parameters.body !== undefined) throw refusal('body: and source exclude each other');
    const body = bodyOf(file, parameters.body);
    if (body && (method === 'GET' || method === 'HEAD')) throw refusal(`method: a ${method} request has no body`);
    const { idempotencyKey } = connections;
    const request: HttpRequest = { method, path, headers, body, idempotencyKey };

    using lease = await connections.http(connection, signal);
    using exchange = await lease.client.send(request, signal);
    log(`${method} ${path} of ${connection}: status ${exchange.status}`);
    await checkResponse(exchange, connection, isIn(parameters.expectedStatus));
    const status = String(exchange.status);
    if (target === undefined)
      return { ...nothing, status, body: exchange.scrub.text(await readText(exchange, bodyBytesAtMost)) };
    const mediaType = exchange.headers['content-type'] ?? 'application/octet-stream';
    return { ...nothing, status, ...(await files.write(target, exchange.content(), mediaType)) };
  },
});

async function openSource(files: JobFiles, path: FilePlace): Promise<OpenedFile> {
  return await files.open(path);
}

function bodyOf(file: OpenedFile | undefined, text: string | undefined): RequestBody | undefined {
  if (file) return { size: file.size, content: () => file.content() };
  return text === undefined ? undefined : textBody(text);
}

/** Whether a status is in a list such as `200-299,404`. */
function isIn(list: string): (status: number) => boolean {
  const ranges = list.split(',').map((part) => part.split('-').map(Number));
  return (status) => ranges.some(([first = 0, last = first]) => status >= first && status <= last);
}

function refusal(detail: string): CodedError {
  return new CodedError('validation_failed', { detail });
}
