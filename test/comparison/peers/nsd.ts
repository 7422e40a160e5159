// NSD, without rate limits, with additional data. It does not sign: ldns-signzone does.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zoneFileName, type PeerKind } from '../peer.ts';
import { run, signZones } from '../zone-keys.ts';

export const nsd: PeerKind = {
  name: 'nsd',
  debianPackages: ['nsd'],
  command: 'nsd',
  configure(folder, port, zones) {
    const state = join(folder, 'nsd');
    mkdirSync(state);
    const text = [
      'server:',
      `  ip-address: 127.0.0.1@${port}`,
      `  zonesdir: "${folder}"`,
      '  database: ""',
      `  xfrdfile: "${state}/xfrd.state"`,
      `  xfrdir: "${state}"`,
      `  zonelistfile: "${state}/zone.list"`,
      '  pidfile: ""',
      '  username: ""',
      '  chroot: ""',
      '  server-count: 1',
      '  verbosity: 1',
      '  rrl-ratelimit: 0',
      '  ipv4-edns-size: 1232',
      '  minimal-responses: no',
      '  refuse-any: no',
      '  round-robin: no',
      'remote-control:',
      '  control-enable: no',
      ...zones.flatMap((zone) => ['zone:', `  name: "${zone.apex}"`, `  zonefile: "${zoneFileName(zone)}"`]),
      '',
    ].join('\n');
    const file = join(folder, 'nsd.conf');
    writeFileSync(file, text);
    return ['-d', '-c', file];
  },
  sign: (folder, zones, denial) =>
    signZones(folder, zones, async ({ apex }, file, keyName) => {
      const hashed = denial === 'nsec3' ? ['-n', '-a', '1', '-t', '0'] : [];
      await run('ldns-signzone', [...hashed, '-o', apex, '-f', file, file, keyName], { cwd: folder });
    }),
};
