/**
 * What can be wrong with bytes from the other side:
 * `truncated` a field reaches past the end of its packet; `oversized` a length prefix above the limit;
 * `empty` a packet without a type; `too-large` a handle above 256 bytes;
 * `unexpected-type` a packet type the direction of the conversation does not have.
 */
export type ProtocolViolation = 'truncated' | 'oversized' | 'empty' | 'too-large' | 'unexpected-type';

/**
 * The only error this package throws. With a `requestId` the framing is intact and the request can be answered with
 * BAD_MESSAGE; without one nothing that follows can be trusted and the channel must end.
 */
export class SftpProtocolError extends Error {
  override readonly name = 'SftpProtocolError';
  readonly violation: ProtocolViolation;
  readonly requestId: number | undefined;

  constructor(violation: ProtocolViolation, message: string, requestId?: number) {
    super(message);
    this.violation = violation;
    this.requestId = requestId;
  }
}
