/**
 * Has a client save an answer under this name (RFC 6266). What is no token is quoted, and what is not ASCII is said twice:
 * roughly for old clients, exactly in `filename*`.
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
