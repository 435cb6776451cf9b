/** Collects what a command writes to standard error, without the line that names its target: `target.test.ts` looks at that. */
export function errorsInto(lines: string[]): (line: string) => void {
  return (line) => {
    if (!line.startsWith('Target: ')) lines.push(line);
  };
}
