import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';

/** Who changes or reads a file, and from where. Audit records, events and dataflow contexts are composed from it. */
export interface Origin {
  userName: UserName;
  actorName: string;
  clusterName: string;
  peerName: string;
  serverName: string;
  /** The protocol of a transfer; undefined for a job. */
  protocol: Protocol | undefined;
  /** Name of the VFS, for the dataflow context; default: its id. */
  vfsName?: string;
  connectionContract?: string;
  sessionId?: string;
  /** The client that causes it, if one does. */
  client?: CausingClient;
  /** The job that is the origin. `chainDepth`: how many jobs in a row led to it, itself among them. */
  job?: { jobId: string; contract: string; action: string; chainDepth: number };
  /** A file that the job hands over to a partner, which counts as received there like one that a partner transfers. */
  delivers?: boolean;
  /** The dataflow that it belongs to. Absent: an upload begins a new one. */
  dfic?: DataflowContext;
}
