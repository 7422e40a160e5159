import { execFile } from 'node:child_process';
import type { Load } from './loads.ts';
import type { BenchServer } from './server.ts';

/**
 * Runs dnsperf on the second core, as fast as the server answers.
 *
 * @param file questions, see `writeQueryFile`
 * @throws if an answer has another response code than the load expects
 */
export async function runDnsperf(
  { name, port }: BenchServer,
  file: string,
  load: Load,
  seconds: number,
): Promise<{ readonly completed: number; readonly lost: number }> {
  const args = ['-c', '1', 'dnsperf', '-s', '127.0.0.1', '-p', String(port), '-d', file];
  args.push('-l', String(seconds), '-c', '20', '-q', '500', '-T', '1');
  args.push('-m', load.transport ?? 'udp', load.isDnssecOk === true ? '-D' : '-e');
  const output = await new Promise<string>((resolve, reject) => {
    execFile('taskset', args, { maxBuffer: 2 ** 26 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error('dnsperf failed', { cause: error }));
    });
  });
  const completed = Number(/Queries completed:\s+(\d+)/.exec(output)?.[1] ?? 0);
  const lost = Number(/Queries lost:\s+(\d+)/.exec(output)?.[1] ?? 0);
  if (!output.includes(`${load.rcode ?? 'NOERROR'} ${completed} (100.00%)`))
    throw new Error(`${name}, ${load.name}:\n${output}`);
  return { completed, lost };
}
