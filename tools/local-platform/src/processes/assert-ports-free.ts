import { once } from 'node:events';
import { createServer } from 'node:net';
import { Refusal } from '@waybill/private-datastores/refusal';

/** A port that the platform needs, and the variable that names another one. */
export interface NeededPort {
  port: number;
  variable: string;
}

/**
 * Makes sure that each port can be listened on, before anything is started.
 * @throws Refusal naming the first port that cannot, and its variable
 */
export async function assertPortsFree(needed: readonly NeededPort[]): Promise<void> {
  const seen = new Map<number, string>();
  for (const { port, variable } of needed) {
    const other = seen.get(port);
    if (other !== undefined && port !== 0) {
      throw new Refusal(`Port ${port} is set twice: give ${other} and ${variable} different ports.`);
    }
    seen.set(port, variable);
    const code = await failureToListen(port);
    if (code !== undefined) throw new Refusal(sentenceFor(code, { port, variable }));
  }
}

function sentenceFor(code: string, { port, variable }: NeededPort): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use: stop what listens there, or choose another one with ${variable}=<port>, or eight others with WAYBILL_BASE_PORT=<port>.`;
  }
  return `Port ${port} cannot be listened on (${code}): choose another one with ${variable}=<port>.`;
}

async function failureToListen(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (err) {
    return err instanceof Error && 'code' in err ? String(err.code) : String(err);
  }
}
