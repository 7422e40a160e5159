import { expect, test } from 'vitest';
import { createAnswerer } from './query-pipeline.ts';
import { createRateTable } from './response-rate-limiter.ts';
import { loadSignedZones, packetOf, readScenarioZone } from './signed-answers.test-support.ts';
import { signTestZone } from './signed-zone.test-support.ts';

const owners = 'abcdefghijklmnopqrst'.split('');
const zone = readScenarioZone(`
zone example.
example. 3600 SOA ns.example.net. hostmaster.example. 1 7200 3600 1209600 300
example. 3600 NS ns.example.net.
${owners.map((owner) => `${owner}.example. 300 A 192.0.2.1`).join('\n')}
`);

test.each(['nsec', 'nsec3'] as const)(
  'names that do not exist are limited together, although each has another proof: %s',
  (denial) => {
    const signed = signTestZone(zone, { denial, algorithm: 13 });
    const rateLimit = { perSecond: 2, table: createRateTable() };
    const settings = { identifier: '', tcpIdleMs: 0, rateLimit };
    const answerer = createAnswerer({ memory: loadSignedZones([signed]), reader: 0, settings });
    answerer.client.setText('192.0.2.77');
    const sizes = owners.map((owner) => {
      const name = `${owner}x.example.`;
      const packet = packetOf({ name, type: 'A', ednsBytes: 1232, dnssecOk: true, overTcp: false });
      const buffer = new Uint8Array(4096);
      buffer.set(packet);
      answerer.enter(0);
      const length = answerer.answer(buffer, 0, packet.length, buffer.length, false);
      answerer.leave();
      return length - packet.length;
    });
    // One burst for the network in total, and one for the class.
    expect(sizes.filter((more) => more > 0)).toHaveLength(2);
  },
);
