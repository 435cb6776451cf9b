/** What a process says of its connections to others who use the same PostgreSQL. */
export interface ConnectionDeclaration {
  /** Tells the processes apart. */
  readonly process: string;
  /** How many it may open. */
  readonly connections: number;
}

/** What a connection of `listen` is called begins with this; the process that listens has declared it. */
export const listenerPrefix = 'waybill listen ';

/** The `application_name` of connections: the only thing that every user can see of the connections of others. */
export function declareConnections(applicationName: string, { process, connections }: ConnectionDeclaration): string {
  return `${applicationName} [${process}:${connections}]`;
}

/** Reads a declaration off an `application_name`. */
export function declarationOf(applicationName: string): ConnectionDeclaration | undefined {
  const [, process, connections] = / \[([0-9a-f]{8}):(\d{1,4})\]$/u.exec(applicationName) ?? [];
  return process === undefined ? undefined : { process, connections: Number(connections) };
}
