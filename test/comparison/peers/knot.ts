// Knot DNS, with only its mandatory checks. It signs at its start, with a key for each zone.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zoneFileName, type PeerKind } from '../peer.ts';

export const knot: PeerKind = {
  name: 'knot',
  debianPackages: ['knot'],
  command: 'knotd',
  configure(folder, port, zones) {
    const state = join(folder, 'knot');
    mkdirSync(state);
    const denial = zones.at(0)?.denial;
    const text = [
      'server:',
      `  rundir: "${state}"`,
      `  listen: 127.0.0.1@${port}`,
      '  udp-workers: 1',
      '  tcp-workers: 1',
      '  background-workers: 1',
      '  udp-max-payload: 1232',
      'log:',
      '  - target: stderr',
      '    any: warning',
      'database:',
      `  storage: "${state}"`,
      'policy:',
      '  - id: one-key',
      '    algorithm: ecdsap256sha256',
      '    single-type-signing: on',
      '    cds-cdnskey-publish: always',
      `    nsec3: ${denial === 'nsec3' ? 'on' : 'off'}`,
      '    nsec3-iterations: 0',
      '    nsec3-salt-length: 0',
      'template:',
      '  - id: default',
      `    storage: "${folder}"`,
      '    semantic-checks: off',
      '    zonefile-load: whole',
      '    zonefile-sync: -1',
      '    journal-content: none',
      ...(denial === undefined ? [] : ['    dnssec-signing: on', '    dnssec-policy: one-key']),
      'zone:',
      ...zones.flatMap((zone) => [`  - domain: "${zone.apex}"`, `    file: "${zoneFileName(zone)}"`]),
      '',
    ].join('\n');
    const file = join(folder, 'knot.conf');
    writeFileSync(file, text);
    return ['-c', file];
  },
};
