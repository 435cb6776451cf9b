import { protocolLimits } from '../wire/protocol-limits.ts';
import { SftpProtocolError } from '../wire/sftp-protocol-error.ts';
import type { WireReader } from '../wire/wire-reader.ts';

/** A handle, as a view into the packet (draft-ietf-secsh-filexfer-02, section 6.2). @throws SftpProtocolError `too-large` */
export function readHandle(reader: WireReader): Buffer {
  const handle = reader.readBytes();
  if (handle.length > protocolLimits.handleBytes) {
    throw new SftpProtocolError(
      'too-large',
      `A handle of ${handle.length} bytes is above ${protocolLimits.handleBytes}`,
    );
  }
  return handle;
}
