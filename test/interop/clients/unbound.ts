// A real recursive resolver in front of the nameserver: Unbound (as a library in unbound-host, without a daemon) with
// all options that detect incorrect servers: strict name minimisation (RFC 9156), names in random case, hardening
// against stray records.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LARGE_RECORDS, ZONE } from '../answers-zone.ts';
import { expectEqual } from '../expect.ts';
import { runProgram } from '../run-program.ts';
import type { Bench, Suite } from '../suite.ts';

interface Row {
  readonly title: string;
  readonly name: string;
  readonly type: string;
  /** The lines that unbound-host must print, in any order, up to `(insecure)`. */
  readonly lines: readonly string[];
}

const WWW = [`www.${ZONE} has address 192.0.2.1`, `www.${ZONE} has address 192.0.2.2`];

const rows: readonly Row[] = [
  { title: 'addresses', name: `www.${ZONE}`, type: 'A', lines: WWW },
  {
    title: 'an alias of an alias',
    name: `chain.${ZONE}`,
    type: 'A',
    // It reports the end of the chain.
    lines: [`chain.${ZONE} is an alias for www.${ZONE}.`, ...WWW],
  },
  {
    title: 'a name below empty non-terminals',
    name: `host.deep.empty.${ZONE}`,
    type: 'A',
    lines: [`host.deep.empty.${ZONE} has address 192.0.2.4`],
  },
  {
    title: 'a wildcard over several labels',
    name: `a.b.c.wild.${ZONE}`,
    type: 'TXT',
    lines: [`a.b.c.wild.${ZONE} has TXT record "from the wildcard"`],
  },
  {
    title: 'a name under a DNAME',
    name: `host.old.${ZONE}`,
    type: 'A',
    lines: [`host.old.${ZONE} is an alias for host.new.${ZONE}.`, `host.new.${ZONE} has address 192.0.2.5`],
  },
  {
    title: 'no such type',
    name: `www.${ZONE}`,
    type: 'MX',
    lines: [`www.${ZONE} has no mail handler record`],
  },
  { title: 'no such name', name: `nothing.${ZONE}`, type: 'A', lines: [notFound(`nothing.${ZONE}`)] },
  {
    title: 'no such name far below',
    name: `a.b.c.no.${ZONE}`,
    type: 'A',
    lines: [notFound(`a.b.c.no.${ZONE}`)],
  },
];

export const unboundSuite: Suite = {
  name: 'unbound',
  run: async (runCase, bench) => {
    const ask = createResolver(bench);
    for (const { title, name, type, lines } of rows)
      await runCase(title, async () => {
        expectEqual(
          await ask(name, type),
          lines.map((line) => line.toLowerCase()).sort(),
          `unbound-host ${name} ${type}`,
        );
        return lines.join('; ');
      });
    await runCase('an answer that needs TCP', async () => {
      const lines = await ask(`large.${ZONE}`, 'TXT');
      expectEqual(lines.length, LARGE_RECORDS, 'TXT records');
      return `${lines.length} TXT records`;
    });
    await runCase('a record written a moment ago', async () => {
      expectEqual(await ask(`new.${ZONE}`, 'TXT'), [`new.${ZONE} has no txt record`], 'before');
      const record = { type: 'TXT', name: 'new', data: 'written', ttl: 300 };
      await bench.api.mustSend('POST', `/v2/domains/${ZONE}/records`, record);
      expectEqual(await ask(`new.${ZONE}`, 'TXT'), [`new.${ZONE} has txt record "written"`], 'after');
      return 'resolved at once';
    });
  },
};

function notFound(name: string): string {
  return `Host ${name} not found: 3(NXDOMAIN).`;
}

/**
 * Each call is a new resolver with an empty cache. Lines are converted to lower case, because names are returned in
 * random case.
 */
function createResolver({ dig, folder }: Bench): (name: string, type: string) => Promise<string[]> {
  const configFile = join(folder, 'unbound.conf');
  writeFileSync(
    configFile,
    [
      'server:',
      '  chroot: ""',
      '  username: ""',
      '  use-syslog: no',
      '  module-config: "iterator"',
      '  do-not-query-localhost: no',
      '  qname-minimisation: yes',
      '  qname-minimisation-strict: yes',
      '  use-caps-for-id: yes',
      '  harden-large-queries: yes',
      '  harden-referral-path: yes',
      'stub-zone:',
      `  name: "${ZONE}"`,
      `  stub-addr: 127.0.0.1@${dig.port}`,
      '',
    ].join('\n'),
  );
  return async (name, type) => {
    const { stdout, stderr } = await runProgram('unbound-host', ['-C', configFile, '-v', '-t', type, name]);
    expectEqual(stderr, '', 'what unbound-host complains about');
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/ \(insecure\)$/, '').toLowerCase())
      .sort();
  };
}
