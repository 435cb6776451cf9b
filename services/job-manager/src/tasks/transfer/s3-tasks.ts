import { s3PullSpecification, s3PushSpecification } from '@waybill/contracts/tasks/transfer-specifications';
import { defineTask } from '../define-task.ts';
import { pullFiles } from './pull-files.ts';
import { remoteTarget } from './remote-paths.ts';

/** Sends a file to a bucket. A repetition finds the object of the attempt before it, and replaces or accepts it. */
export const s3PushTask = defineTask({
  ...s3PushSpecification,
  run: async ({ connection, source, target, ifExists }, { files, connections, signal, log }) => {
    await using file = await files.open(source);
    const { size, sha256, mediaType, fileset } = file;
    const path = remoteTarget(target, source);
    using lease = await connections.s3(connection, signal);
    const transfer = `${connections.idempotencyKey}-${fileset}`;
    const object = { path, size, sha256, mediaType, transfer, ifExists, content: () => file.content() };
    const etag = await lease.client.push(object, signal);
    log(`Sent ${source} (${size} bytes) to ${connection}:${path}`);
    return { remotePath: path, size: String(size), etag };
  },
});

/** Fetches objects from a bucket. */
export const s3PullTask = defineTask({
  ...s3PullSpecification,
  run: (parameters, context) => pullFiles('s3', parameters, context),
});
