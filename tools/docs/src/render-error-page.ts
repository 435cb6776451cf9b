import { errorCodes } from '@waybill/contracts/errors/error-codes';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

/** `docs/errors.md`: every code of a failure, and what to do about it. */
export function renderErrorPage(): GeneratedPage {
  const rows = Object.entries(errorCodes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { title, remedy }]) => [`\`${code}\``, title, remedy]);
  return {
    path: 'docs/errors.md',
    text: `# Error codes

Every expected failure has a code of this closed list. Codes are never renamed. Over HTTP the code is the \`code\` of an
\`application/problem+json\` body (RFC 9457), except under \`/2.0\`, which has the body of the file interface. Job messages
and logs carry the same codes.

${markdownTable(['Code', 'What happened', 'What to do'], rows)}`,
  };
}
