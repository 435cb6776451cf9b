import { encodeLimits } from '@waybill/sftp-protocol/responses/encode-extended-replies';
import { protocolLimits } from '@waybill/sftp-protocol/wire/protocol-limits';
import type { Operation, RequestOf } from './operation.ts';

/** limits@openssh.com: without it OpenSSH's client sends 32 KiB a request instead of 255 KiB. */
export const tellLimits: Operation<RequestOf<'limits'>> = async ({ id }, { openHandles }) => ({
  type: 'extended-reply',
  id,
  data: encodeLimits({
    packetBytes: protocolLimits.packetBytes,
    readBytes: protocolLimits.dataBytes,
    writeBytes: protocolLimits.dataBytes,
    openHandles,
  }),
});
