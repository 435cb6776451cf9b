import type { S3Opener, S3Parts } from './s3-client.ts';

/** An opener that loads the AWS SDK when the first bucket is opened: it is a quarter of all modules of a service. */
export function createLazyS3Opener(parts: S3Parts): S3Opener {
  let loaded: Promise<S3Opener> | undefined;
  const load = async (): Promise<S3Opener> => {
    const { createS3Opener } = await import('./s3-client.ts');
    return createS3Opener(parts);
  };
  return {
    open: async () => {
      loaded ??= load();
      return await (await loaded).open();
    },
    [Symbol.dispose]: () => void loaded?.then((opener) => opener[Symbol.dispose]()),
  };
}
