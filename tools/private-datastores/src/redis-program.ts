import { findProgram } from './find-program.ts';

/** A Redis server that is installed on this machine. */
export interface InstalledRedis {
  kind: 'program';
  file: string;
}

/** Docker, which runs one in a container. */
export interface DockerProgram {
  kind: 'docker';
  file: string;
  image: string;
}

/** How Redis can be run on this machine. */
export type RedisProgram = InstalledRedis | DockerProgram;

/** Finds Redis or Valkey on PATH. */
export function findRedisProgram(): InstalledRedis | undefined {
  const file = findProgram('redis-server') ?? findProgram('valkey-server');
  return file === undefined ? undefined : { kind: 'program', file };
}

/** Finds Docker, which can run Valkey if no program is installed. */
export function findDockerProgram(): DockerProgram | undefined {
  const file = findProgram('docker');
  return file === undefined ? undefined : { kind: 'docker', file, image: 'valkey/valkey:8' };
}
