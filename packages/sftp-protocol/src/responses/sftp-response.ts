import type { ExtensionPair } from '../requests/sftp-request.ts';
import type { FileAttributes } from '../wire/file-attributes.ts';
import type { StatusCode } from './status-code.ts';

/** One name of a NAME reply; `longname` is a line as `ls -l` prints it. */
export interface NameEntry {
  readonly filename: string;
  readonly longname: string;
  readonly attributes: FileAttributes;
}

/** Everything a server can answer in SFTP version 3 (draft-ietf-secsh-filexfer-02, sections 4, 7 and 8). */
export type SftpResponse =
  | { readonly type: 'version'; readonly version: number; readonly extensions: readonly ExtensionPair[] }
  | { readonly type: 'status'; readonly id: number; readonly code: StatusCode; readonly message: string }
  | { readonly type: 'handle'; readonly id: number; readonly handle: Buffer }
  | { readonly type: 'data'; readonly id: number; readonly data: Buffer }
  | { readonly type: 'name'; readonly id: number; readonly entries: readonly NameEntry[] }
  | { readonly type: 'attrs'; readonly id: number; readonly attributes: FileAttributes }
  | { readonly type: 'extended-reply'; readonly id: number; readonly data: Buffer };
