import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { createTestFolder } from './create-test-folder.ts';
import { ensureS3Server } from './ensure-s3-server.ts';
import { pauseProcess } from './processes/pause-process.ts';

const program = fileURLToPath(new URL('s3-server.py', import.meta.url));

/** An S3 server of a test file's own, with one empty bucket. */
export interface TestObjectStore extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly credentials: { accessKeyId: string; secretAccessKey: string };
  /** Looks behind what is tested, and tampers with it. */
  readonly client: S3Client;
  /** SIGSTOP: it accepts connections and says nothing; `false` lets it go on. */
  pause(isPaused: boolean): void;
  stop(): Promise<void>;
}

/** Starts OpenStack Swift, which has the S3 interface of a production server, on a free port with temporary data. */
export async function createTestObjectStore(): Promise<TestObjectStore> {
  const python = await ensureS3Server();
  const folder = await createTestFolder();
  const credentials = { accessKeyId: 'waybill:tester', secretAccessKey: 'not-secret' };
  const server = spawn(python, [program, folder.path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  server.stdin.write(`${credentials.accessKeyId} ${credentials.secretAccessKey}\n`);
  const [port] = (await once(createInterface(server.stdout), 'line')) as [string];
  const endpoint = `http://127.0.0.1:${port}`;
  const [bucket, region] = ['waybill-test', 'us-east-1'];
  const client = new S3Client({ region, endpoint, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(20_000) });
  const stop = async (): Promise<void> => {
    client.destroy();
    server.stdin.end();
    await exited;
    await folder.remove();
  };
  const pause = (isPaused: boolean): void => {
    if (server.pid !== undefined) pauseProcess(server.pid, isPaused);
  };
  return { endpoint, bucket, region, credentials, client, pause, stop, [Symbol.asyncDispose]: stop };
}
