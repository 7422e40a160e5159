// The moving guide (docs/moving-a-domain-here.md) from BIND, Knot and PowerDNS, signed and unsigned: copied, verified, changed
// at the old side, copied again, verified again. At the end both sides have the same records, octet for octet.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectEqual } from '../expect.ts';
import { after, before, formatOldZone, type OldZone } from '../moving/old-zone.ts';
import { oldServerKinds, startOldServer, type OldServerKind } from '../moving/old-servers.ts';
import { cleanEnvironment, runProgram, type Finished } from '../run-program.ts';
import type { Bench, Suite } from '../suite.ts';

const launcher = fileURLToPath(new URL('../../../bin/zonewright.js', import.meta.url));

export const movingSuite: Suite = {
  name: 'moving',
  run: async (runCase, bench) => {
    for (const kind of oldServerKinds)
      for (const isSigned of [false, true])
        await runCase(`${kind.name}, ${isSigned ? 'signed' : 'unsigned'}`, () => move(bench, kind, isSigned));
  },
};

/** Follows the guide with one server. */
async function move({ service, folder }: Bench, kind: OldServerKind, isSigned: boolean): Promise<string> {
  const zone = `${kind.name.toLowerCase()}-${isSigned ? 'signed' : 'plain'}.example`;
  const home = join(folder, `moving-${zone}`);
  const env = cleanEnvironment({
    HOME: home,
    ZONEWRIGHT_URL: `http://127.0.0.1:${service.httpPort}`,
    ZONEWRIGHT_KEY: service.key,
    ZONEWRIGHT_RESOLVERS: 'none',
  });
  const zonewright = async (wanted: number, ...words: string[]): Promise<Finished> => {
    const done = await runProgram(process.execPath, [launcher, ...words], { env, cwd: home });
    if (done.code !== wanted)
      throw new Error(`zonewright ${words.join(' ')}: ${done.code}\n${done.stdout}${done.stderr}`);
    return done;
  };
  mkdirSync(home);
  let port: number | undefined;
  let last = '';
  for (const content of [before, after]) {
    const text = formatOldZone(`${zone}.`, content);
    const place = join(home, `serial-${content.serial}`);
    const server = await startOldServer({ kind, folder: place, zone, text, isSigned, ...(port && { port }) });
    port = server.port;
    try {
      const copy = ['copy', '--from', `axfr:${server.address}`, '--domains', zone];
      await zonewright(0, ...copy, '--dry-run');
      last = (await zonewright(0, ...copy, '--yes')).stderr;
      expectEqual(/nothing to change/.test(last), false, last);
      expectEqual(/is signed/.test(last), isSigned, last);
      const against = ['--against', server.address, '--server', `127.0.0.1:${service.dnsPort}`];
      await zonewright(0, 'verify', zone, ...against, '--axfr', '--ttl');
      await expectSameRecords(home, zone, content, (await zonewright(0, 'zonefile', 'export', zone)).stdout);
      expectEqual(/nothing to change/.test((await zonewright(0, ...copy, '--yes')).stderr), true, 'a repeat');
    } finally {
      await server.stop();
    }
  }
  return last.trim().split('\n').at(-1) ?? '';
}

/** named-compilezone reads both, and writes each record in one way. */
async function expectSameRecords(home: string, zone: string, old: OldZone, exported: string): Promise<void> {
  const theirs = await listRecords(home, zone, formatOldZone(`${zone}.`, old));
  expectEqual(await listRecords(home, zone, exported), theirs, 'the exported records');
  expectEqual(theirs.length > 10, true, 'the old side has records');
}

/** Without the SOA and NS records of the zone itself, which are those of the provider. */
async function listRecords(home: string, zone: string, text: string): Promise<string[]> {
  const file = join(home, 'read.zone');
  writeFileSync(file, text);
  const args = ['-i', 'none', '-k', 'ignore', '-o', '-', zone, file];
  const { code, stdout, stderr } = await runProgram('/usr/bin/named-compilezone', args);
  if (code !== 0) throw new Error(`named-compilezone: ${stdout}${stderr}`);
  const isOwn = new RegExp(`^${zone.replaceAll('.', '\\.')}\\.\\s+\\d+\\s+IN\\s+(?:SOA|NS)\\s`);
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !isOwn.test(line))
    .map((line) => line.replaceAll(/\s+/g, ' '))
    .sort();
}
