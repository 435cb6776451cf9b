import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { AnchoredState } from '../../domain/anchors/anchor.ts';
import { parseCheckpoint } from '../../domain/checkpoints/checkpoint.ts';
import type { AnchorSettings } from './anchor-settings.ts';
import { openAnchors } from './open-anchors.ts';

/** What an anchor remembers, or why it cannot be read. */
export interface ReadAnchor {
  readonly anchor: string;
  readonly state?: AnchoredState | undefined;
  readonly error?: string;
}

const timeoutMs = 10_000;

/**
 * Reads anchors once. A witness is asked about `note`, a signed checkpoint of the log; without one it is not asked.
 */
export async function readAnchors(
  settings: readonly AnchorSettings[],
  { credentials, note }: { credentials: S3Credentials | undefined; note: string | undefined },
): Promise<ReadAnchor[]> {
  await using resources = new AsyncDisposableStack();
  const anchors = await openAnchors(settings, { credentials, resources });
  const checkpoint = note === undefined ? undefined : parseCheckpoint(note);
  const head = checkpoint && note !== undefined ? { checkpoint, note } : undefined;
  return await Promise.all(
    anchors.map(async (anchor): Promise<ReadAnchor> => {
      try {
        return { anchor: anchor.name, state: await anchor.read(head, AbortSignal.timeout(timeoutMs)) };
      } catch (error) {
        return { anchor: anchor.name, error: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}
