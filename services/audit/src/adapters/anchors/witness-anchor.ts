import type { Anchor, AnchoredHead, AnchoredState } from '../../domain/anchors/anchor.ts';
import { type Cosignature, findCosignature } from '../../domain/checkpoints/cosignature.ts';
import type { AnchorSettings } from './anchor-settings.ts';
import { readShortText } from './anchored-text.ts';

/** A C2SP witness (tlog-witness). It remembers its last checkpoint, and tells its size to those that do not know it. */
export function createWitnessAnchor(settings: Extract<AnchorSettings, { kind: 'witness' }>): Anchor {
  const { name, url, key } = settings;
  const submit = async (
    oldSize: number,
    proof: readonly Buffer[],
    { note, checkpoint }: AnchoredHead,
    signal: AbortSignal,
  ) => {
    const lines = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
    const body = `old ${oldSize}\n${lines}\n${note}`;
    const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body, redirect: 'error', signal });
    const text = await readShortText(response);
    const size = /^(?:0|[1-9]\d{0,15})$/u.test(text.trim()) ? Number(text) : undefined;
    const cosignature = (): Cosignature => {
      const line = findCosignature(text, note, key);
      if (line === undefined) throw new Error(`${name} answered without a valid cosignature of its key`);
      return { verifierKey: key.verifierKey, line, note, size: checkpoint.size };
    };
    return { status: response.status, size, cosignature };
  };

  return {
    name,
    read: async (head, signal): Promise<AnchoredState | undefined> => {
      if (!head) return undefined;
      const { origin, size: asked, root } = head.checkpoint;
      // The same old and new size: the witness cosigns what it has, or tells its size, and does not move on.
      const { status, size, cosignature } = await submit(asked, [], head, signal);
      if (status === 200) return { origin, size: asked, root, cosignature: cosignature() };
      // Earlier versions of the specification answer 409 if it is the root that differs.
      if (status === 422 || (status === 409 && size === asked)) return { origin, size: asked, root: Buffer.alloc(0) };
      if (status === 409 && size !== undefined) return { origin, size, root: undefined };
      throw new Error(explain(name, status));
    },
    store: async (head, { from, proof }, signal) => {
      const { status, size, cosignature } = await submit(from?.size ?? 0, proof, head, signal);
      if (status === 200) return cosignature();
      if (status === 422 && from) return 'contradicted';
      if (status === 409 && !from)
        throw new Error(
          `${name} has cosigned ${size ?? 'other'} records of an older history, and continues when its operator runs \`waybill witness forget\``,
        );
      throw new Error(explain(name, status));
    },
  };
}

function explain(name: string, status: number): string {
  if (status === 404) return `${name} does not know this log: give its operator the verifier key of the log`;
  if (status === 403) return `${name} does not know the key of this log: give its operator the new verifier key`;
  return `${name} answered ${status}`;
}
