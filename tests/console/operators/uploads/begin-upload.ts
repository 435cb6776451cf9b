import type { PlatformProcess } from '@waybill/end-to-end/platform-process';

const resumable = { 'tus-resumable': '1.0.0' };

/** An upload of a partner that was interrupted, and what continues it. */
export interface InterruptedUpload {
  /** Sends the rest, and returns the status. */
  continue(): Promise<number>;
}

/** Begins an upload of five bytes, of which three arrive. */
export async function beginUpload(
  platform: Pick<PlatformProcess, 'http'>,
  user: string,
  path: string,
): Promise<InterruptedUpload> {
  const client = platform.http();
  await client.post('/2.0/login/basic', { form: { username: user, password: `${user}-demo` } });
  const described = `path ${Buffer.from(path).toString('base64')}`;
  const begun = await client.post('/2.0/uploads', {
    headers: { ...resumable, 'upload-length': '5', 'upload-metadata': described },
  });
  const address = new URL(begun.headers.get('location') ?? '').pathname;
  const append = async (offset: number, body: string): Promise<number> => {
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
    return (await client.request('PATCH', address, { headers: { ...resumable, ...type }, body })).status;
  };
  if ((await append(0, 'abc')) !== 204) throw new Error(`the upload to ${path} does not begin`);
  return { continue: () => append(3, 'de') };
}
