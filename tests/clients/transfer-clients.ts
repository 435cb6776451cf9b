import { curl } from './drivers/curl.ts';
import { lftp } from './drivers/lftp.ts';
import { opensshScp } from './drivers/openssh-scp.ts';
import { opensshSftp } from './drivers/openssh-sftp.ts';
import { paramiko } from './drivers/paramiko.ts';
import { psftp } from './drivers/psftp.ts';
import { rclone } from './drivers/rclone.ts';
import { sshfs } from './drivers/sshfs.ts';
import type { TransferClient } from './transfer-client.ts';

/** The clients, in the order of the table's columns. */
export const transferClients: readonly TransferClient[] = [
  opensshSftp,
  opensshScp,
  lftp,
  rclone,
  sshfs,
  curl,
  psftp,
  paramiko,
];
