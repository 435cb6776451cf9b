import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Computation } from '../../domain/workflows/computation.ts';
import { dryRunAnswer, readDryRunOrder } from '../../domain/workflows/dry-runs/dry-run-messages.ts';
import { imagineDraft, imagineRun } from '../../domain/workflows/dry-runs/imagine-run.ts';
import { serveComputation } from '../serve-computation.ts';

serveComputation(begin);

/** A dry run of the order that the bytes are. */
function begin(): Computation {
  const parts: Uint8Array[] = [];
  return {
    update: (chunk) => void parts.push(Uint8Array.from(chunk)),
    end: () => {
      // The caller waits until this thread has started.
      if (parts.length === 0) return dryRunAnswer({ missing: [] });
      try {
        const order = readDryRunOrder(Buffer.concat(parts));
        return dryRunAnswer('draft' in order ? imagineDraft(order) : { run: imagineRun(order) });
      } catch (error) {
        if (!isCodedError(error)) throw error;
        const { code, message: detail, fields } = error;
        return dryRunAnswer({ refusal: { code, detail, fields: [...fields] } });
      }
    },
  };
}
