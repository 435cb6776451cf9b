import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installDebianPackage, mayInstallDebianPackages } from './install-debian-package.ts';
import { type DockerProgram, findDockerProgram, findRedisProgram, type RedisProgram } from './redis-program.ts';
import { Refusal } from './refusal.ts';

const run = promisify(execFile);
const pullTimeoutMs = 180_000;

/**
 * Finds a Redis (or Valkey) on PATH, else installs Debian's package, else uses Docker.
 * @param report is called with slow steps
 */
export async function ensureRedisServer(report: (line: string) => void): Promise<RedisProgram> {
  const found = findRedisProgram();
  if (found !== undefined) return found;
  if (mayInstallDebianPackages()) {
    report('Installing redis-server with apt-get');
    await installDebianPackage('redis-server', { service: 'redis-server' }).catch(() => {});
    const installed = findRedisProgram();
    if (installed !== undefined) return installed;
  }
  const docker = findDockerProgram();
  if (docker !== undefined && (await hasImage(docker, report))) return docker;
  throw new Refusal('No Redis is available: install redis-server or valkey-server, or set REDIS_URL, and try again.');
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
