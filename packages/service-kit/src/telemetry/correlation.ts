import { AsyncLocalStorage } from 'node:async_hooks';

/** The ids that connect log lines with one request, session, job or dataflow. */
export interface Correlation {
  requestId?: string;
  sessionId?: string;
  jobId?: number;
  userName?: string;
  dfiid?: string;
  lcid?: string;
  /** The number of the API key of a request. */
  apiKey?: number;
}

/** The client that causes the current work, as audit records name it. */
export interface CausingClient {
  readonly address?: string;
  readonly port?: number;
  /** Its software, as `describeClient` returns it. */
  readonly client?: string;
  /** The id of its login session. */
  readonly session?: string;
  /** The number of its API key. */
  readonly apiKey?: number;
}

interface Surroundings {
  readonly correlation: Readonly<Correlation>;
  readonly client: CausingClient | undefined;
}

const storage = new AsyncLocalStorage<Surroundings>();

/** Runs `work`; these ids and those of the caller are added to every log line. */
export function withCorrelation<T>(correlation: Readonly<Correlation>, work: () => T): T {
  const now = storage.getStore();
  return storage.run({ correlation: { ...now?.correlation, ...correlation }, client: now?.client }, work);
}

/** Runs `work`, which this client causes. */
export function withClient<T>(client: CausingClient, work: () => T): T {
  return storage.run({ correlation: currentCorrelation(), client }, work);
}

/** The current ids. */
export function currentCorrelation(): Readonly<Correlation> {
  return storage.getStore()?.correlation ?? {};
}

/** The current client, with its session or API key, as an audit record names them; empty for work that no client causes. */
export function currentClient(): CausingClient {
  const now = storage.getStore();
  const { sessionId: session, apiKey } = now?.correlation ?? {};
  return { ...now?.client, ...(session !== undefined && { session }), ...(apiKey !== undefined && { apiKey }) };
}
