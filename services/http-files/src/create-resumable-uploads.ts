import {
  createBeginResumableUpload,
  type BeginResumableUploadPorts,
} from './domain/resumable/begin-resumable-upload.ts';
import { createBeginUploadOnce, type BeginUploadOnce } from './domain/resumable/begin-upload-once.ts';
import {
  createContinueResumableUpload,
  type ContinueResumableUpload,
  type ContinueResumableUploadPorts,
} from './domain/resumable/continue-resumable-upload.ts';
import { createHoldResumableUpload, type HoldResumableUploadPorts } from './domain/resumable/hold-resumable-upload.ts';
import {
  createInspectResumableUpload,
  type InspectResumableUpload,
  type InspectResumableUploadPorts,
} from './domain/resumable/inspect-resumable-upload.ts';
import { createJoinUploads } from './domain/resumable/join-uploads.ts';
import {
  createTerminateResumableUpload,
  type TerminateResumableUpload,
  type TerminateResumableUploadPorts,
} from './domain/resumable/terminate-resumable-upload.ts';

/** What resumable uploads need, all of their operations together. */
export type ResumableUploadPorts = Omit<
  BeginResumableUploadPorts &
    ContinueResumableUploadPorts &
    HoldResumableUploadPorts &
    InspectResumableUploadPorts &
    TerminateResumableUploadPorts,
  'holdUpload' | 'joinUploads' | 'inspectUpload' | 'continueUpload'
>;

/** The operations on resumable uploads for a logged-in user. */
export interface ResumableUploads {
  readonly beginUpload: BeginUploadOnce;
  readonly inspectUpload: InspectResumableUpload;
  readonly continueUpload: ContinueResumableUpload;
  readonly terminateUpload: TerminateResumableUpload;
}

/** Creates the operations. */
export function createResumableUploads(ports: ResumableUploadPorts): ResumableUploads {
  const holdUpload = createHoldResumableUpload(ports);
  const joinUploads = createJoinUploads({ ...ports, holdUpload });
  const inspectUpload = createInspectResumableUpload({ ...ports, holdUpload, joinUploads });
  const continueUpload = createContinueResumableUpload({ ...ports, holdUpload, inspectUpload });
  const beginUpload = createBeginResumableUpload({ ...ports, holdUpload, joinUploads, continueUpload });
  return {
    beginUpload: createBeginUploadOnce({ ...ports, beginUpload, inspectUpload, continueUpload }),
    inspectUpload,
    continueUpload,
    terminateUpload: createTerminateResumableUpload(ports),
  };
}
