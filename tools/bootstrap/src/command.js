import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Runs a program to its end. Of its output, the lines that `shows` accepts are printed (default: none); all of it is
 * returned, so that a failure can be reported in one sentence.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, shows?: (line: string) => boolean }} options
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function runCommand(program, args, { cwd, env = process.env, shows = () => false }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`;
        if (shows(line)) console.log(`  ${line}`);
      });
    }
    child.on('error', (err) => resolve({ ok: false, output: err.message }));
    child.on('close', (code, signal) => {
      resolve({ ok: code === 0, output: signal === null ? output : `${output}${program} was ended by ${signal}\n` });
    });
  });
}

/**
 * @param {string} program
 * @returns {boolean} whether a program of that name is on PATH
 */
export function isOnPath(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => isExecutable(path.join(folder, program)));
}

/** @type {(file: string) => boolean} */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
