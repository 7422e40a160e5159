// Log-ins of somebody who has many addresses, and no key.
import { Agent } from 'node:http';
import { HttpClient } from '../../harness/http-client.ts';
import { loop, type Attack } from '../attack.ts';

/** Each address may send a hundred requests a second without a key. */
const ADDRESSES = 100;

/** With a round of at least 10 ms, more than a thousand attempts a second. */
const LOOPS = 64;

export const logIns: Attack = {
  title: '1,000 log-in attempts a second for unknown users, from 100 addresses',
  run: async (attacker) => {
    const { address } = attacker.http;
    const clients = Array.from({ length: ADDRESSES }, (_, at) => {
      const agent = new Agent({ keepAlive: true, localAddress: `127.0.1.${at + 1}` });
      return new HttpClient(address, '', agent);
    });
    await loop(attacker, LOOPS, (round, index) => {
      const client = clients[(round * LOOPS + index) % ADDRESSES];
      const body = { email: `user${round}-${index}@example.net`, password: 'a password of somebody' };
      return client.post('/v2/session', body, { key: null });
    });
    for (const client of clients) client.close();
  },
};
