import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { fileEndpoints } from '@waybill/contracts/endpoints/files/file-endpoints';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import { formatFileFailure } from '@waybill/http-files/format-file-failure';
import { errorStatus } from '@waybill/http-kit/failures/error-status';
import { failureCodesOf, unroutedFailureCodes } from '@waybill/http-kit/failures/failure-codes';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

/** A failure in the form that clients receive, and the endpoints that return it. */
export interface FileFailureRow {
  readonly status: number;
  readonly errorType: string;
  readonly message: string;
  /** Methods and paths below `/2.0`. */
  readonly endpoints: readonly string[];
}

/** `docs/http-failures.md`: every failure of the file interface, with the texts of its formatter. */
export function renderFileFailuresPage(): GeneratedPage {
  const rows = fileFailureRows().map(({ status, errorType, message, endpoints }) => [
    String(status),
    `\`${errorType}\``,
    message.replaceAll(/[<>]/gu, (bracket) => (bracket === '<' ? '&lt;' : '&gt;')),
    raisedBy(endpoints),
  ]);
  return {
    path: 'docs/http-failures.md',
    text: `# Failures of the file interface

Every failure under \`/2.0\` has one of these statuses and bodies: \`errorType\` and \`message\` are fixed texts except for the names of files
and paths. [Files over HTTP](http-files.md#failures) describes the body, and the order of the checks.

${markdownTable(['Status', '`errorType`', '`message`', 'Returned by'], rows)}`,
  };
}

/** Every failure, ordered by status; those with the same text are combined. */
export function fileFailureRows(): FileFailureRow[] {
  const rows = new Map<string, { row: Omit<FileFailureRow, 'endpoints'>; endpoints: Set<string> }>();
  const add = (code: ErrorCode, endpoint: EndpointContract | undefined): void => {
    const row = failureOf(code, endpoint);
    const key = Object.values(row).join(' ');
    const known = rows.get(key) ?? { row, endpoints: new Set() };
    rows.set(key, known);
    known.endpoints.add(endpoint === undefined ? anyAddress : nameOf(endpoint));
  };
  for (const endpoint of fileEndpoints) for (const code of failureCodesOf(endpoint)) add(code, endpoint);
  for (const code of unroutedFailureCodes) add(code, undefined);
  return [...rows.values()]
    .map(({ row, endpoints }) => ({ ...row, endpoints: [...endpoints] }))
    .toSorted((one, other) => one.status - other.status || (one.errorType < other.errorType ? -1 : 1));
}

const anyAddress = 'any address';

function failureOf(code: ErrorCode, endpoint: EndpointContract | undefined): Omit<FileFailureRow, 'endpoints'> {
  const status = errorStatus(code);
  const error = new CodedError(code, { names: { file: '<file>', path: '<path>' } });
  const { errorType, message } = formatFileFailure({ error, status, requestId: '', endpoint }).body;
  return { status, errorType, message };
}

function nameOf({ method, path }: EndpointContract): string {
  return `${method} ${path
    .replace(/^\/2\.0/u, '')
    .replace('{/*path}', '/<path>')
    .replaceAll(/:(\w+)/gu, '<$1>')}`;
}

/** Endpoints that share a failure because they require a login are summarised. */
function raisedBy(endpoints: readonly string[]): string {
  if (endpoints[0] === anyAddress || fileEndpoints.length === endpoints.length) return anyAddress;
  const withLogin = fileEndpoints.filter(({ authentication }) => authentication.kind !== 'none').map(nameOf);
  const exempt = withLogin.filter((name) => !endpoints.includes(name));
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  if (exempt.length > 1) return quoted(endpoints);
  const others = quoted(endpoints.filter((name) => !withLogin.includes(name)));
  return `every endpoint with a login${exempt.length > 0 ? `, except ${quoted(exempt)}` : ''}${others && `, and ${others}`}`;
}
