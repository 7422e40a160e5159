// BIND: authoritative only, without semantic checks of zones, with additional data. Its dnssec-signzone signs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zoneFileName, type PeerKind } from '../peer.ts';
import { run, signZones } from '../zone-keys.ts';

export const bind: PeerKind = {
  name: 'bind',
  debianPackages: ['bind9'],
  command: 'named',
  configure(folder, port, zones) {
    const options = [
      `directory "${folder}"`,
      `listen-on port ${port} { 127.0.0.1; }`,
      'listen-on-v6 { none; }',
      'pid-file none',
      'session-keyfile none',
      'recursion no',
      'allow-query { any; }',
      'allow-transfer { none; }',
      'notify no',
      'dnssec-validation no',
      'empty-zones-enable no',
      'answer-cookie no',
      'minimal-responses no-auth',
      'minimal-any no',
      'max-udp-size 1232',
      'zone-statistics none',
      'zero-no-soa-ttl no',
      'check-names primary ignore',
      'check-integrity no',
      'check-sibling no',
      'check-wildcard no',
      'check-mx ignore',
      'check-mx-cname ignore',
      'check-srv-cname ignore',
      'check-dup-records ignore',
    ];
    const text = [
      `options { ${options.join('; ')}; };`,
      'controls { };',
      ...zones.map((zone) => `zone "${zone.apex}" { type primary; file "${zoneFileName(zone)}"; };`),
      '',
    ].join('\n');
    const file = join(folder, 'named.conf');
    writeFileSync(file, text);
    return ['-g', '-4', '-n', '1', '-c', file];
  },
  sign: (folder, zones, denial) =>
    signZones(folder, zones, async ({ apex }, file, keyName) => {
      const hashed = denial === 'nsec3' ? ['-3', '-', '-H', '0'] : [];
      // -z: the key signs everything; -P: the zones are odd.
      const args = ['-q', '-z', '-P', '-K', folder, ...hashed, '-o', apex, '-f', file, file, keyName];
      await run('dnssec-signzone', args, { cwd: folder });
    }),
};
