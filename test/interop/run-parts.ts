// `npm run test:interop`: runs the parts below, as many at a time as there are processors, because each keeps
// about one of them busy. Each line of output names its part. Exits with 1 if any part failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { PORT_RANGE_VARIABLE } from '../harness/free-port.ts';

/** Words for `npm run`; those that take longest come first. */
const parts: readonly (readonly string[])[] = [
  ['test:signing'],
  ['test:clients'],
  ['test:nameservers', '--', '--signed'],
  ['test:nameservers'],
  ['test:replication'],
];

/** Takes parts from the list until there are none. */
async function runParts(waiting: Iterator<[number, readonly string[]]>): Promise<void> {
  for (let entry = waiting.next(); entry.done !== true; entry = waiting.next()) {
    const [range, words] = entry.value;
    const startMs = performance.now();
    const code = await runPart(words, range);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    if (code !== 0) process.exitCode = 1;
    print(words, `${code === 0 ? 'ok' : 'failed'} in ${seconds} s`);
  }
}

function runPart(words: readonly string[], portRange: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', ...words], {
      env: { ...process.env, [PORT_RANGE_VARIABLE]: String(portRange) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => print(words, line));
    child.once('error', reject);
    child.once('close', resolve);
  });
}

function print(words: readonly string[], line: string): void {
  process.stdout.write(`${words.join(' ')} │ ${line}\n`);
}

const waiting = parts.entries();
await Promise.all(Array.from({ length: availableParallelism() }, () => runParts(waiting)));
