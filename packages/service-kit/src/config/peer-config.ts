import { hostname } from 'node:os';
import { z } from 'zod';

/** The settings of a peer of an engine cluster. */
export const peerConfigShape = {
  CLUSTER_NAME: z.string().default('cluster1').describe('Cluster of the configuration that this peer belongs to'),
  PEER_NAME: z.string().default(hostname()).describe('Name of this peer; by default the host name'),
};
