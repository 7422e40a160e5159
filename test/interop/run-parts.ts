// `npm run test:interop`: runs the parts below, as many at a time as there are processors. Each part waits for other
// programs half of its time. What a part prints follows when it has ended. Exits with 1 if any part failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { PORT_RANGE_VARIABLE } from '../harness/free-port.ts';

/** Words for `npm run`; those that take longest come first. */
const parts: readonly (readonly string[])[] = [
  ['test:signing'],
  ['test:clients'],
  ['test:nameservers', '--', '--signed'],
  ['test:nameservers'],
  ['test:replication'],
];

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Takes parts from the list until there are none. */
async function runParts(waiting: Iterator<[number, readonly string[]]>): Promise<void> {
  for (let entry = waiting.next(); entry.done !== true; entry = waiting.next()) {
    const [range, words] = entry.value;
    const startMs = performance.now();
    const { code, output } = await runPart(words, range);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    process.stdout.write(`\n> npm run ${words.join(' ')}\n${output}`);
    process.stdout.write(`${words.join(' ')}: ${code === 0 ? 'ok' : 'failed'} (${seconds} s)\n`);
    if (code !== 0) process.exitCode = 1;
  }
}

function runPart(words: readonly string[], portRange: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', ...words], {
      env: { ...process.env, [PORT_RANGE_VARIABLE]: String(portRange) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

const waiting = parts.entries();
await Promise.all(Array.from({ length: availableParallelism() }, () => runParts(waiting)));
