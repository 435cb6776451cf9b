import type { Cosignature } from '../checkpoints/cosignature.ts';

/** A checkpoint that witnesses have cosigned. */
export interface CosignedNote {
  readonly size: number;
  /** As the log has signed it. */
  readonly note: string;
  /** With the lines of the witnesses. */
  readonly cosigned: string;
}

/** The cosigned checkpoints, the newest first. Witnesses may have cosigned different ones. */
export function cosignedNotes(cosignatures: readonly Cosignature[]): CosignedNote[] {
  const notes = Map.groupBy(cosignatures, ({ note }) => note);
  return [...notes]
    .map(([note, lines]) => ({
      note,
      size: lines[0]?.size ?? 0,
      cosigned: note + lines.map(({ line }) => line).join(''),
    }))
    .toSorted((one, other) => other.size - one.size);
}
