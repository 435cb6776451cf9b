import { loadConfig } from '@waybill/service-kit/config/load-config';
import { createHealth } from '@waybill/service-kit/telemetry/health';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createHttpClient, type HttpClient, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { waitFor } from '@waybill/test-kit/wait-for';
import { configSchema } from '../src/config.ts';
import { startJobManager } from '../src/service.ts';
import type { TaskTable } from '../src/tasks/task-table.ts';
import type { TestPlatform } from './start-test-platform.ts';

/** A step of such a job. */
export interface ShownStep {
  name: string;
  task: string;
  status: string;
  attempts: number;
  begunAt?: string;
  endedAt?: string;
  durationMs?: number;
  inputs: Record<string, string>;
  outputs: Record<string, string>;
  error: string;
  log: { at: string; attempt: number; message: string }[];
  items?: (Omit<ShownStep, 'name' | 'task'> & { index: number })[];
  itemCounts?: Record<string, number>;
}

/** A job as the interface shows it, as far as the tests look. */
export interface ShownJob {
  id: number;
  status: string;
  statusMessage: string;
  createdAt: string;
  updatedAt: string;
  extIPID?: string;
  submittedBy: string;
  contract: string;
  dfic: Record<string, unknown>;
  contractActionWorkflowInstance: Record<string, unknown>;
  steps?: ShownStep[];
  outputs?: Record<string, string>;
  history?: { from: string | null; to: string; transition: string; by: string; message: string }[];
  resubmissionOf?: number;
  waitingFor?: { kind: string; message: string; until?: string };
}

/** A job manager in this process, with clients that are logged in. */
export interface TestJobManager extends AsyncDisposable {
  readonly client: HttpClient;
  readonly port: number;
  readonly url: string;
  /** Access tokens. */
  readonly admin: string;
  readonly viewer: string;
  submit(body: object, bearer?: string): Promise<HttpResponse>;
  job(id: number): Promise<ShownJob>;
  /** Waits until the job has this status. */
  reaches(id: number, status: string, timeoutMs?: number): Promise<ShownJob>;
  /** How many jobs it works on now, by its metric. */
  running(): Promise<number>;
  jobs(query?: Readonly<Record<string, string | number>>): Promise<{ jobs: ShownJob[]; next?: string }>;
}

/** Starts the job manager as its `main` does, on a free port; with other tasks, if they are given. */
export async function startTestJobManager(
  platform: TestPlatform,
  overrides: Readonly<Record<string, string>> = {},
  tasks?: TaskTable,
): Promise<TestJobManager> {
  const running = await runTestJobManager(platform, overrides, tasks);
  const url = `http://127.0.0.1:${running.port}`;
  const client = createHttpClient(url);
  const path = `${overrides['JOB_MANAGER_BASE_PATH'] ?? ''}/job-manager/jobs`;
  const admin = await logIn(client, 'admin');
  const viewer = await logIn(client, 'viewer');
  const job = async (id: number): Promise<ShownJob> =>
    (await client.get(`${path}/${id}`, { bearer: admin })).json() as ShownJob;
  return {
    client,
    port: running.port,
    url,
    admin,
    viewer,
    job,
    submit: (json, bearer = admin) => client.post(path, { json, bearer, timeoutMs: 60_000 }),
    reaches: (id, status, timeoutMs = 10_000) =>
      waitFor(
        async () => {
          const shown = await job(id);
          if (shown.status !== status) throw new Error(`it is ${shown.status}: ${shown.statusMessage}`);
          return shown;
        },
        { what: `job ${id} to be ${status}`, timeoutMs },
      ),
    running: async () => {
      const { text } = await client.get('/metrics');
      return Number(/^waybill_jobs_running\{[^}]*\} (\d+)$/mu.exec(text)?.[1]);
    },
    jobs: async (query = {}) =>
      (await client.get(path, { bearer: admin, query })).json() as { jobs: ShownJob[]; next?: string },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Starts it without clients, for a test whose clients use HTTPS. */
export async function runTestJobManager(
  platform: TestPlatform,
  overrides: Readonly<Record<string, string>> = {},
  tasks?: TaskTable,
): Promise<AsyncDisposable & { readonly port: number }> {
  const resources = new AsyncDisposableStack();
  const env = { ...platform.env, ...overrides };
  const context = {
    config: loadConfig(configSchema, env),
    logger: platform.logger,
    metrics: createMetrics('job-manager'),
    health: createHealth(),
    resources,
  };
  const { port } = await startJobManager(context, spawnEnvironment(env), tasks);
  return { port, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function logIn(client: HttpClient, username: string): Promise<string> {
  const response = await client.post('/platform-application/api/v1/auth/login', {
    json: { username, password: `${username}-demo` },
  });
  const { accessToken } = response.json() as { accessToken?: string };
  if (accessToken === undefined) throw new Error(`no login: ${response.text}`);
  return accessToken;
}
