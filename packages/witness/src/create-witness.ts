import { hash } from 'node:crypto';
import type { KnownLogs } from './known-logs.ts';
import { parseSignedCheckpoint, verifiedSignatures } from './signed-checkpoint.ts';
import { parseSubmission } from './submission.ts';
import { emptyTreeRoot, verifyConsistency } from './verify-consistency.ts';
import type { WitnessKey } from './witness-key.ts';
import type { StateChange, WitnessState } from './witness-state.ts';

/** A response of a witness. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly body: string;
  readonly mediaType?: 'text/x.tlog.size';
}

/** A witness (C2SP tlog-witness): cosigns checkpoints that continue the last one that it has cosigned. */
export interface Witness {
  addCheckpoint(body: Buffer): Promise<WitnessAnswer>;
  /** The last cosigned checkpoint of a log, which the hexadecimal SHA-256 of its origin names. */
  readCheckpoint(originHash: string): Promise<WitnessAnswer>;
}

/** A log has signed a checkpoint, and its proof does not show that it continues an earlier one: both are evidence. */
export interface Misbehavior {
  readonly origin: string;
  readonly cosigned: string;
  readonly submitted: string;
}

/** Within this time a repeated request gets the same cosignature, so that requests that are repeated cause no writes. */
const freshMs = 10_000;

/** Creates a witness. `logs` returns the currently known ones. */
export function createWitness(parts: {
  readonly key: WitnessKey;
  readonly state: WitnessState;
  logs(): KnownLogs;
  onCosigned?(origin: string, size: number): void;
  onMisbehavior?(found: Misbehavior): void;
}): Witness {
  const { state, logs, onCosigned = () => {}, onMisbehavior = () => {} } = parts;
  const cosign = createCosigner(parts.key);
  return {
    addCheckpoint: async (body) => {
      const submission = parseSubmission(body);
      if (!submission) return refused(400, 'The body is not an add-checkpoint request');
      const { checkpoint, oldSize, proof } = submission;
      const { origin, size, text } = checkpoint;
      const keys = logs().get(origin);
      if (!keys) return refused(404, 'The origin is not known');
      const signatures = verifiedSignatures(checkpoint, keys);
      if (!signatures) return refused(403, 'No trusted key has signed the checkpoint');
      if (oldSize > size) return refused(400, 'The old size is larger than the checkpoint');
      const signed = `${text}\n${signatures.map(({ line }) => `${line}\n`).join('')}`;
      const answer = await state.update<WitnessAnswer>(origin, (cosigned) => {
        const older = (cosigned === undefined ? undefined : parseSignedCheckpoint(cosigned)) ?? emptyTree;
        if (oldSize !== older.size)
          return { result: { status: 409, body: `${older.size}\n`, mediaType: 'text/x.tlog.size' } };
        if (verifyConsistency(older, checkpoint, proof)) return cosign({ text, signed, cosigned });
        if (cosigned !== undefined) onMisbehavior({ origin, cosigned, submitted: signed });
        return { result: refused(422, 'The proof does not show that the checkpoint continues the last one') };
      });
      if (answer.status === 200) onCosigned(origin, size);
      return answer;
    },
    readCheckpoint: async (originHash) => {
      const origin = [...logs().keys()].find((one) => hash('sha256', one) === originHash);
      const note = origin === undefined ? undefined : await state.read(origin);
      return note === undefined ? refused(404, 'No checkpoint of this log was cosigned') : { status: 200, body: note };
    },
  };
}

const emptyTree = { size: 0, root: emptyTreeRoot };

/** Cosigns, unless the last cosignature is of the same signed checkpoint and new: then it is repeated. */
function createCosigner(key: WitnessKey) {
  let latest:
    | { readonly note: string; readonly signed: string; readonly line: string; readonly at: number }
    | undefined;
  return (checkpoint: {
    readonly text: string;
    readonly signed: string;
    readonly cosigned: string | undefined;
  }): StateChange<WitnessAnswer> => {
    const { text, signed, cosigned } = checkpoint;
    const now = new Date();
    if (latest?.note === cosigned && latest?.signed === signed && now.getTime() - latest.at < freshMs)
      return { result: { status: 200, body: latest.line } };
    const line = key.cosign(text, now);
    latest = { note: `${signed}${line}`, signed, line, at: now.getTime() };
    return { result: { status: 200, body: line }, next: latest.note };
  };
}

function refused(status: 400 | 403 | 404 | 422, sentence: string): WitnessAnswer {
  return { status, body: `${sentence}\n` };
}
