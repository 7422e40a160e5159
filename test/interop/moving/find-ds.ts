// The DS data for the keys of a zone, as a registry makes it: from the DNSKEY records that a nameserver has.

import { runProgram } from '../run-program.ts';

/** Empty if there are none. @param zone without the final dot */
export async function findDs(zone: string, port: number): Promise<readonly string[]> {
  const asked = ['-r', '@127.0.0.1', '-p', `${port}`, '+norecurse', '+noall', '+answer', zone, 'DNSKEY'];
  const { stdout } = await runProgram('dig', asked);
  const keys = stdout.split('\n').filter((line) => line.includes('DNSKEY'));
  if (keys.length === 0) return [];
  const made = await runProgram('dnssec-dsfromkey', ['-2', '-f', '-', zone], {
    stdin: `${keys.join('\n')}\n`,
  });
  return [...made.stdout.matchAll(/ IN DS (.*)/g)].map(([, data]) => data);
}
