/** The media type of a `Content-Type` header, in lower case and without parameters, and its charset if it names one. */
export function mediaTypeOf(contentType: string | undefined): { mediaType: string; charset: string | undefined } {
  const [mediaType = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return { mediaType, charset: charset?.replaceAll('"', '') };
}
