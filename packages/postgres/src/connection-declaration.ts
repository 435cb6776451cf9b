/** A process's declaration of its connections for other users of the same PostgreSQL. */
export interface ConnectionDeclaration {
  /** Distinguishes the processes. */
  readonly process: string;
  /** How many connections it may open. */
  readonly connections: number;
}

/** The prefix of the `application_name` of `listen`'s connections, which the listening process has declared. */
export const listenerPrefix = 'waybill listen ';

/** The `application_name` of connections: the only property of others' connections that every user can see. */
export function declareConnections(applicationName: string, { process, connections }: ConnectionDeclaration): string {
  return `${applicationName} [${process}:${connections}]`;
}

/** Parses a declaration in an `application_name`. */
export function declarationOf(applicationName: string): ConnectionDeclaration | undefined {
  const [, process, connections] = / \[([0-9a-f]{8}):(\d{1,4})\]$/u.exec(applicationName) ?? [];
  return process === undefined ? undefined : { process, connections: Number(connections) };
}
