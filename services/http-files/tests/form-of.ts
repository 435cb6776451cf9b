/**
 * A form with a file, as a browser or curl sends it; `metadata` comes after it, as with `curl -F file=@... -F
 * metadata=...`.
 */
export function formOf(
  content: string | Uint8Array<ArrayBuffer>,
  options: { name?: string; type?: string; metadata?: string } = {},
): FormData {
  const { name = 'local.bin', type = 'application/octet-stream', metadata } = options;
  const form = new FormData();
  form.append('file', new Blob([content], { type }), name);
  if (metadata !== undefined) form.append('metadata', metadata);
  return form;
}
