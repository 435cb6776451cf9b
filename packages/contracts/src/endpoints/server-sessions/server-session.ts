import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';

/** An open session of a server, as area A shows it. */
export const serverSessionSchema = z
  .object({
    sessionId: z
      .string()
      .describe('128 upper-case hexadecimal characters')
      .meta({ example: 'B536CBB1D9D09A35'.repeat(8) }),
    userName: z.string().describe("Login name of the session's user").meta({ example: 'acme' }),
    clientIp: z
      .string()
      .describe('Client address with port; an IPv6 address is in brackets')
      .meta({ example: '/10.0.0.2:38666' }),
    clientPort: z.string().describe('Client port').meta({ example: '38666' }),
    clientVersion: z.string().describe("Client's SSH version banner").meta({ example: 'SSH-2.0-OpenSSH_9.2p1' }),
  })
  .meta({ id: 'ServerSession' });

/** Identifies a server on a peer of a cluster. */
export const sessionServerShape = {
  clusterName: soundTextSchema.min(1).describe('Name of the cluster').meta({ example: 'cluster1' }),
  peerName: soundTextSchema.min(1).describe('Name of the peer').meta({ example: 'peer1' }),
  protocol: z.literal('SFTP').describe('The protocol of the server').meta({ example: 'SFTP' }),
  serverName: soundTextSchema.min(1).describe('Name of the server').meta({ example: 'sftp-server' }),
};
