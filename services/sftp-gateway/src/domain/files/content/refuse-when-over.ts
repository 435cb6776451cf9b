import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Who has asked for something that takes long. */
export interface Asking {
  /** True when the client is gone, or was told to go: nobody waits for the answer any more. */
  isOver(): boolean;
}

/** To be called between the pieces of such work. @throws CodedError `service_unavailable`, which nobody hears */
export function refuseWhenOver({ isOver }: Asking): void {
  if (isOver()) throw new CodedError('service_unavailable', { detail: 'The session has ended' });
}
