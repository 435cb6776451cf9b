import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { Protocol } from '@waybill/contracts/values/protocol';

/** Who does something to a file, and from where. Audit records, events and dataflow contexts are made of it. */
export interface Origin {
  userName: string;
  actorName: string;
  clusterName: string;
  peerName: string;
  serverName: string;
  /** The protocol of a transfer; undefined when a job does it. */
  protocol: Protocol | undefined;
  /** Name of the VFS, for the dataflow context; its id when absent. */
  vfsName?: string;
  connectionContract?: string;
  sessionId?: string;
  /** The job that does it. */
  job?: { jobId: string; contract: string; action: string };
  /** The dataflow that this belongs to. Absent: an upload begins a new one. */
  dfic?: DataflowContext;
}
