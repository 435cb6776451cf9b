import { setTimeout as delay } from 'node:timers/promises';
import { benchContract, type BenchAction } from './bench-jobs-configuration.ts';

/** A client of the job manager that repeats a submission until it is answered. */
export interface Submitter {
  /** Resolves when the job is there: just created, or found by its extIPID after a repeated attempt. */
  submit(actionName: BenchAction, name: string): Promise<'created' | 'found'>;
  /** The attempts that had to be repeated. */
  readonly repeated: number;
}

const patienceMs = 60_000;

/** Logs in, as soon as the job manager at this port answers. */
export async function openSubmitter(port: number): Promise<Submitter> {
  const base = `http://127.0.0.1:${port}`;
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
  const login = { username: 'admin', password: 'admin-demo' };
  const loggedIn = await untilAnswered([200], () => post('/platform-application/api/v1/auth/login', login));
  const { accessToken } = (await loggedIn.response.json()) as { accessToken: string };
  const authorization = `Bearer ${accessToken}`;
  let repeated = 0;
  return {
    submit: async (actionName, name) => {
      const body = { contractName: benchContract, actionName, actionVariables: { name }, extIPID: name };
      const { response, attempts } = await untilAnswered([201, 409], () =>
        post('/job-manager/jobs', body, { authorization }),
      );
      await response.arrayBuffer();
      repeated += attempts - 1;
      return response.status === 201 ? 'created' : 'found';
    },
    get repeated() {
      return repeated;
    },
  };
}

async function untilAnswered(wanted: readonly number[], ask: () => Promise<Response>) {
  const giveUpAt = performance.now() + patienceMs;
  for (let attempts = 1; ; attempts += 1) {
    const response = await ask().catch((error: unknown) => error);
    if (response instanceof Response) {
      if (wanted.includes(response.status)) return { response, attempts };
      const text = await response.text();
      if (response.status < 500 || performance.now() > giveUpAt) throw new Error(`${response.status}: ${text}`);
    } else if (performance.now() > giveUpAt) throw response;
    await delay(200);
  }
}
