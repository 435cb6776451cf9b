import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Run as a program on a mounted folder: `node loop-open-files.ts <folder> <rounds>`. Each round closes a file and at once acts on its
 * name, as programs do; sshfs sends the CLOSE behind that. It prints, for each kind of loop, how many files are not as the
 * program left them.
 */

/** One round, and whether its files are as it left them. */
interface Loop {
  act(file: string): void;
  isRight(file: string): boolean;
}

function writeOver(file: string, flags: string, text: string): void {
  const opened = openSync(file, flags);
  writeSync(opened, text);
  closeSync(opened);
}

const loops: Readonly<Record<string, Loop>> = {
  'a file that is changed and removed': {
    act: (file) => {
      writeFileSync(file, 'old');
      writeOver(file, 'r+', 'new');
      unlinkSync(file);
    },
    isRight: (file) => !existsSync(file),
  },
  'a file that is changed and renamed': {
    act: (file) => {
      writeFileSync(file, 'old');
      writeOver(file, 'r+', 'new');
      renameSync(file, `${file}.moved`);
    },
    isRight: (file) => !existsSync(file) && readFileSync(`${file}.moved`, 'utf8') === 'new',
  },
  'a file that is written and removed, and another of its name': {
    act: (file) => {
      writeOver(file, 'w', 'removed');
      unlinkSync(file);
      writeFileSync(file, 'another');
    },
    isRight: (file) => readFileSync(file, 'utf8') === 'another',
  },
  'a lock file that takes the place of a file, and one that is removed': {
    act: (file) => {
      writeFileSync(file, 'old');
      writeOver(`${file}.lock`, 'wx', 'new');
      renameSync(`${file}.lock`, file);
      writeOver(`${file}.lock`, 'wx', 'given up');
      unlinkSync(`${file}.lock`);
    },
    isRight: (file) => !existsSync(`${file}.lock`) && readFileSync(file, 'utf8') === 'new',
  },
};

const [folder = '.', rounds = '1000'] = process.argv.slice(2);
const differences: Record<string, number> = {};
for (const [name, { act, isRight }] of Object.entries(loops)) {
  const within = join(folder, name.replaceAll(/\W+/gu, '-'));
  mkdirSync(within);
  const files = Array.from({ length: Number(rounds) }, (_, round) => join(within, `file-${round}`));
  let failed = 0;
  for (const file of files) {
    try {
      act(file);
    } catch {
      failed += 1;
    }
  }
  // What was closed is closed by sshfs a moment later, and it keeps what it knows of files for 20 seconds.
  await delay(22_000);
  differences[name] = failed + files.filter((file) => !isRight(file)).length;
}
process.stdout.write(`${JSON.stringify(differences)}\n`);
