import { randomUUID } from 'node:crypto';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import { nameOf, parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { Origin } from '../model/origin.ts';

/** What was uploaded. */
export interface UploadedFile {
  vfsId: string;
  path: VirtualPath;
  size: number;
  /** CORRELATION_ID of the system metadata. */
  correlationId: string | undefined;
}

/** The dataflow of an upload: the given one, else a new one that begins with it. */
export function dataflowOfUpload(origin: Origin, file: UploadedFile): DataflowContext {
  if (origin.dfic) return origin.dfic;
  return {
    dfiid: uuidV7(),
    lcid: `${randomUUID()}:0`,
    original_cluster: origin.clusterName,
    original_peer: origin.peerName,
    original_server: origin.serverName,
    original_transferUser: origin.userName,
    original_actor: origin.actorName,
    ...originalNames(file.path),
    original_size: String(file.size),
    original_vfs: origin.vfsName ?? file.vfsId,
    ...(origin.protocol && { original_role: 'SERVER', original_protocol: origin.protocol }),
    ...(origin.connectionContract && { 'original_connection-contract': origin.connectionContract }),
    ...(origin.job && { original_contract: origin.job.contract, original_action: origin.job.action }),
    ...(file.correlationId && { original_corrId: file.correlationId }),
    userAttrs: {},
  };
}

/** The parts of a dataflow with the original name of its first file. */
export function originalNames(path: VirtualPath) {
  const name = nameOf(path);
  return {
    'original_actor-filename': name,
    'original_actor-path': path,
    original_filename: name,
    original_virtualpath: parentOf(path),
  };
}
