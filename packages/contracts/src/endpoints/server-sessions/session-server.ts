import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';

/** Which server on which peer of which cluster is meant. */
export const sessionServerShape = {
  clusterName: soundTextSchema.min(1).describe('Name of the cluster').meta({ example: 'cluster1' }),
  peerName: soundTextSchema.min(1).describe('Name of the peer').meta({ example: 'peer1' }),
  protocol: z.literal('SFTP').describe('The protocol of the server').meta({ example: 'SFTP' }),
  serverName: soundTextSchema.min(1).describe('Name of the server').meta({ example: 'sftp-server' }),
};
