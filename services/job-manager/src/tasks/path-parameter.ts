import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { z } from 'zod';

/** A parameter that is a path in the VFS of the job. */
export const pathParameter = z.string().transform((text, context): VirtualPath => {
  try {
    return parseVirtualPath(text);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
