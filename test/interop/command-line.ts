// Runs commands of `zonewright` as a user does.

import { fileURLToPath } from 'node:url';
import { cleanEnvironment, runProgram, type Finished } from './run-program.ts';

const launcher = fileURLToPath(new URL('../../bin/zonewright.js', import.meta.url));

/** Runs one command. Fails if it ends with another exit code. @param wanted undefined for any */
export type CommandLine = (wanted: number | undefined, ...words: string[]) => Promise<Finished>;

/** @param variables are added to a clean environment */
export function commandLine(cwd: string, variables: Readonly<Record<string, string>>): CommandLine {
  const env = cleanEnvironment({ HOME: cwd, ...variables });
  return async (wanted, ...words) => {
    const done = await runProgram(process.execPath, [launcher, ...words], { env, cwd });
    if (wanted !== undefined && done.code !== wanted)
      throw new Error(`zonewright ${words.join(' ')}: ${done.code}\n${done.stdout}${done.stderr}`);
    return done;
  };
}
