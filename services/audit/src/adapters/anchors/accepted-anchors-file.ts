import { z } from 'zod';
import type { AcceptedAnchors } from '../../domain/anchors/anchor.ts';
import { readIfThere, writeDurably } from '../write-durably.ts';

const fileSchema = z.object({
  user: z.string(),
  reason: z.string(),
  acceptedAt: z.iso.datetime(),
  states: z.array(
    z.object({ anchor: z.string(), origin: z.string(), size: z.int().min(0), root: z.base64().nullable() }),
  ),
});

/**
 * What an operator has accepted of anchors, in a file beside the remembered checkpoint. It stays there: a witness
 * remembers its checkpoint until its own operator removes it.
 */
export async function readAcceptedAnchors(checkpointFile: string): Promise<AcceptedAnchors | undefined> {
  const text = await readIfThere(fileOf(checkpointFile));
  if (text === undefined) return undefined;
  const parsed = fileSchema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const states = parsed.data.states.map(({ anchor, root, ...state }) => ({
    anchor,
    state: { ...state, root: root === null ? undefined : Buffer.from(root, 'base64') },
  }));
  return { ...parsed.data, states };
}

/** Stores the decision of an operator. */
export async function storeAcceptedAnchors(checkpointFile: string, accepted: AcceptedAnchors): Promise<void> {
  const states = accepted.states.map(({ anchor, state: { origin, size, root } }) => ({
    anchor,
    origin,
    size,
    root: root?.toString('base64') ?? null,
  }));
  await writeDurably(fileOf(checkpointFile), JSON.stringify({ ...accepted, states }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fileOf(checkpointFile: string): string {
  return `${checkpointFile}.anchors`;
}
