// PowerDNS with the bind backend, without caches, so that every answer is new. DNAME must be enabled. It signs while it
// answers, with a key for each zone.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zoneFileName, type PeerKind } from '../peer.ts';
import { run } from '../zone-keys.ts';

export const powerdns: PeerKind = {
  name: 'powerdns',
  debianPackages: ['pdns-server', 'pdns-backend-bind'],
  command: 'pdns_server',
  configure(folder, port, zones) {
    const state = join(folder, 'powerdns');
    mkdirSync(state);
    writeFileSync(
      join(state, 'zones.conf'),
      [
        `options { directory "${folder}"; };`,
        ...zones.map((zone) => `zone "${zone.apex}" { type native; file "${zoneFileName(zone)}"; };`),
        '',
      ].join('\n'),
    );
    const settings = [
      'launch=bind',
      `bind-config=${state}/zones.conf`,
      `socket-dir=${state}`,
      'local-address=127.0.0.1',
      `local-port=${port}`,
      'daemon=no',
      'guardian=no',
      'loglevel=4',
      'receiver-threads=1',
      'distributor-threads=1',
      'dname-processing=yes',
      'any-to-tcp=no',
      'udp-truncation-threshold=1232',
      'cache-ttl=0',
      'query-cache-ttl=0',
      'negquery-cache-ttl=0',
      'zone-cache-refresh-interval=0',
      'expand-alias=no',
      'security-poll-suffix=',
      'disable-axfr=yes',
      ...(zones.at(0)?.denial === undefined ? [] : signing(state)),
    ];
    writeFileSync(join(state, 'pdns.conf'), `${settings.join('\n')}\n`);
    return [`--config-dir=${state}`];
  },
  async sign(folder, zones, denial) {
    const state = join(folder, 'powerdns');
    const tool = (...args: readonly string[]): Promise<unknown> =>
      run('pdnsutil', [`--config-dir=${state}`, ...args]);
    await tool('create-bind-db', keyFile(state));
    await tool('secure-zone', ...zones.map(({ apex }) => apex));
    if (denial === 'nsec') return;
    for (const { apex } of zones) await tool('set-nsec3', apex, '1 0 0 -');
  },
};

function keyFile(state: string): string {
  return join(state, 'keys.db');
}

function signing(state: string): string[] {
  return [`bind-dnssec-db=${keyFile(state)}`, 'default-publish-cds=2', 'default-publish-cdnskey=yes'];
}
