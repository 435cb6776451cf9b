import { generatedPages } from '@waybill/docs/generated-pages';
import { checkArchitecture } from './check-architecture.ts';
import { checkConsoleTexts } from './check-console-texts.ts';
import { checkDocstrings } from './check-docstrings.ts';
import { checkEndpoints } from './check-endpoints.ts';
import { checkErrorCodes } from './check-error-codes.ts';
import { checkFileNames } from './check-file-names.ts';
import { checkForbiddenText } from './check-forbidden-text.ts';
import { checkGeneratedPages } from './check-generated-pages.ts';
import { checkLinks } from './check-links.ts';
import { checkRooms } from './check-rooms.ts';
import type { Finding, SourceFile } from './source-file.ts';

/** The house rules that no existing tool checks, each a function of the source tree. */
export const houseRules = {
  architecture: checkArchitecture,
  rooms: (tree) => checkRooms(tree),
  'file names': checkFileNames,
  'forbidden text': checkForbiddenText,
  docstrings: checkDocstrings,
  'console texts': checkConsoleTexts,
  endpoints: (tree) => checkEndpoints(tree),
  links: checkLinks,
  'error codes': (tree) => checkErrorCodes(tree),
  'generated pages': (tree) => checkGeneratedPages(tree, generatedPages()),
} as const satisfies Record<string, (tree: readonly SourceFile[]) => Finding[]>;
