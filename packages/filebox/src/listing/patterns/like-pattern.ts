import { literalsOf, parseNamePattern } from '@waybill/contracts/values/name-pattern';

/** A pattern of names for SQL's LIKE, with `\` as the escape character. */
export function likePattern(pattern: string): string {
  return literalsOf(parseNamePattern(pattern))
    .map((literal) => literal.replaceAll(/[\\%_]/gu, String.raw`\$&`))
    .join('%');
}
