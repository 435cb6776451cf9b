import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { Anchor } from '../../domain/anchors/anchor.ts';
import type { AnchorSettings } from './anchor-settings.ts';
import { createFileAnchor } from './file-anchor.ts';
import { createHttpAnchor } from './http-anchor.ts';
import { createWitnessAnchor } from './witness-anchor.ts';

/** Opens the anchors; nothing is sent yet. Resources of theirs are released with `resources`. */
export async function openAnchors(
  settings: readonly AnchorSettings[],
  { credentials, resources }: { credentials: S3Credentials | undefined; resources: AsyncDisposableStack },
): Promise<Anchor[]> {
  const opened = settings.map(async (anchor) => {
    if (anchor.kind === 'file') return createFileAnchor(anchor);
    if (anchor.kind === 's3') {
      // The SDK is a quarter of all modules of the service.
      const { createS3Anchor } = await import('./s3-anchor.ts');
      return resources.use(createS3Anchor(anchor, credentials));
    }
    return anchor.kind === 'http' ? createHttpAnchor(anchor) : createWitnessAnchor(anchor);
  });
  return await Promise.all(opened);
}
