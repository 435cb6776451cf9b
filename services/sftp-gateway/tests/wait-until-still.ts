import { waitFor } from '@waybill/test-kit/wait-for';
import type { RawSftpClient } from './raw-sftp-client.ts';

/** Consecutive looks without a byte, with a turn of the event loop, which gateway and client share, before each. */
const looks = 25;

/**
 * Waits until none of the connections carries anything: the gateway has taken as many requests as it takes, and responded to
 * as many as it responds to.
 */
export async function waitUntilStill(...clients: readonly RawSftpClient[]): Promise<void> {
  const carried = () => clients.reduce((sum, { socket }) => sum + socket.bytesRead + socket.bytesWritten, 0);
  let before = -1;
  let unchanged = 0;
  const isStill = () => {
    const now = carried();
    unchanged = now === before ? unchanged + 1 : 0;
    before = now;
    return unchanged >= looks;
  };
  await waitFor(isStill, { what: 'the connections to carry nothing' });
}
