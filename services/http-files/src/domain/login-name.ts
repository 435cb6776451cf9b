/** Characters of a user name at most; what is longer, or no text for a database, is nobody's name. */
const maxLength = 255;

/** True for what may be the name of a user. */
export function isLoginName(text: string): boolean {
  return text.length <= maxLength && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** What somebody gave as a name, as the record can show it. */
export function printableLoginName(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD')
    .slice(0, maxLength);
}
