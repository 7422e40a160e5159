// Validates answers of the service with delv, which trusts the key that the service itself lists for the domain.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectMatch } from './expect.ts';
import { runProgram } from './run-program.ts';

export interface SignedDomain {
  readonly domain: string;
  /** The lines of `GET …/dnssec`. */
  readonly keys: readonly string[];
  readonly dnsPort: number;
  /** For the file of the trust anchor. */
  readonly folder: string;
}

/** Fails unless all answers are validated. Returns how many. */
export async function expectValidated(
  { domain, keys, dnsPort, folder }: SignedDomain,
  ...questions: readonly (readonly [name: string, type: string])[]
): Promise<string> {
  const anchors = keys.flatMap((line) => {
    const found = / IN DNSKEY (\d+ \d+ \d+) (.*)$/.exec(line);
    return found === null ? [] : [`"${domain}" static-key ${found[1]} "${found[2]}";`];
  });
  const file = join(mkdtempSync(join(folder, 'delv-')), 'anchor');
  writeFileSync(file, `trust-anchors { ${anchors.join(' ')} };\n`);
  for (const [name, type] of questions) {
    const { stdout, stderr } = await runProgram('delv', [
      ...['@127.0.0.1', '-p', `${dnsPort}`, '-a', file, `+root=${domain}`, '+nocrypto', name, type],
    ]);
    // A proven absence is a failure for delv, and has the same first words.
    expectMatch(`${stdout}${stderr}`, /^; (negative response, )?fully validated$/m, `delv ${name} ${type}`);
  }
  return `${questions.length} answers fully validated`;
}
