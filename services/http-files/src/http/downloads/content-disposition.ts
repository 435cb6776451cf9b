/**
 * Makes a client save a response under this name (RFC 6266). A name that is not a token is quoted, and one that is not
 * ASCII is sent twice: approximated for old clients, exact in `filename*`.
 */
export function contentDisposition(filename: string): string {
  if (/^[\w!#$&+.^`|~-]+$/u.test(filename)) return `attachment; filename=${filename}`;
  const rough = filename.replaceAll(/[^\u0020-\u007e]/gu, '_').replaceAll(/["\\]/gu, String.raw`\$&`);
  const exact = encodeURIComponent(filename).replaceAll(
    /['()*]/gu,
    (character) => `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${rough}"; filename*=UTF-8''${exact}`;
}
