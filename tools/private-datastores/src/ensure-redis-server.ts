import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureProgram } from './ensure-program.ts';
import { type DockerProgram, findDockerProgram, findRedisProgram, type RedisProgram } from './redis-program.ts';
import { Refusal } from './refusal.ts';

const run = promisify(execFile);
const pullTimeoutMs = 180_000;

/**
 * Finds a Redis (or Valkey) on PATH, else installs Debian's package, else uses Docker.
 * @param report is called with slow steps
 */
export async function ensureRedisServer(report: (line: string) => void): Promise<RedisProgram> {
  try {
    const packages = ['redis-server'];
    return await ensureProgram({ what: 'Redis', packages, service: 'redis-server', find: findRedisProgram, report });
  } catch (error) {
    const docker = findDockerProgram();
    if (docker !== undefined && (await hasImage(docker, report))) return docker;
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`${error.message} Valkey does as well, and so does one elsewhere in REDIS_URL.`);
  }
}

async function hasImage({ file, image }: DockerProgram, report: (line: string) => void): Promise<boolean> {
  const succeeds = (...args: string[]) =>
    run(file, args, { timeout: pullTimeoutMs }).then(
      () => true,
      () => false,
    );
  if (await succeeds('image', 'inspect', image)) return true;
  report(`Fetching ${image} with Docker`);
  return succeeds('pull', '--quiet', image);
}
