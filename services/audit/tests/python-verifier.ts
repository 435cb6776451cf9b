import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./verify_audit_log.py', import.meta.url));

/** The second verifier: one process for all cases. */
export function startPythonVerifier() {
  const child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    verify: async (options: {
      export: string;
      keys: readonly string[];
      kept: readonly string[];
      witnesses?: readonly string[];
      needed?: number;
      archive?: boolean;
    }): Promise<string[]> => {
      child.stdin.write(`${JSON.stringify(options)}\n`);
      return JSON.parse(String((await answers.next()).value)) as string[];
    },
    end: () => child.stdin.end(),
  };
}
