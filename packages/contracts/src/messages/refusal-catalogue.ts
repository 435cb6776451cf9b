import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** What is audited of refused operations. `context.outcome` is the code of the error. */
export const refusalCatalogue = {
  requestUnauthenticated: entry('MANAGER', 14, 'LOGIN', 'The request {request} had no valid token: {reason}'),
  requestRefused: entry('MANAGER', 15, 'MODIFY', 'User {user} was refused the request {request}: {reason}'),
  requestsRefused: entry(
    'MANAGER',
    16,
    'MODIFY',
    '{caller} was refused {count} more requests between {first} and {last}: {outcomes}',
  ),
  uploadRefused: entry('ENGINE', 48, 'SERVER_UPLOAD_FILE', 'Server upload file {path} was refused: {reason}'),
  folderListRefused: entry('ENGINE', 60, 'SERVER_CHANGE_DIR', 'Server change folder to {path} was refused: {reason}'),
  folderCreateRefused: entry('ENGINE', 61, 'SERVER_CREATE_DIR', 'Server create folder {path} was refused: {reason}'),
  folderDeleteRefused: entry('ENGINE', 62, 'SERVER_DELETE_DIR', 'Server delete folder {path} was refused: {reason}'),
  renameRefused: entry(
    'ENGINE',
    63,
    'SERVER_RENAME_FILE',
    'Server rename from {path} to {newPath} was refused: {reason}',
  ),
  downloadRefused: entry('ENGINE', 64, 'SERVER_DOWNLOAD_FILE', 'Server download file {path} was refused: {reason}'),
  fileDeleteRefused: entry('ENGINE', 65, 'SERVER_DELETE_FILE', 'Server delete file {path} was refused: {reason}'),
  metadataRefused: entry('ENGINE', 66, 'MODIFY', 'Change of metadata of file {path} was refused: {reason}'),
  metadataReadRefused: entry(
    'ENGINE',
    68,
    'SERVER_DOWNLOAD_FILE',
    'Reading of metadata of file {path} was refused: {reason}',
  ),
  sshKeyChangeRefused: entry('ENGINE', 56, 'MODIFY', 'User {user} was refused a change of SSH keys: {reason}'),
  operationsRefused: entry(
    'ENGINE',
    67,
    'MODIFY',
    '{caller} was refused {count} more operations between {first} and {last}: {outcomes}',
  ),
} as const satisfies Record<string, CatalogueEntry>;
