import { expect, test } from 'vitest';
import { createDomain, postRecord } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

/*
 * A large zone that is replaced is read again as a whole by the nameserver process. Meanwhile it answers as before, and the
 * write is answered when it answers with the new content (rule 35).
 */

const service = await startForFile();

const RECORDS = 6000;
const ROUNDS = 3;

/** Every answer must come at once: a query that has to wait for its zone would get SERVFAIL in the end. */
const patient = { attempts: 1, timeoutMs: 30_000 };

interface Answer {
  /** The number of the last write that had been answered when the query was sent. */
  readonly atLeast: number;
  readonly seen: unknown;
}

function replaceZone(domain: string, version: number) {
  const file = `$GENERATE 1-${RECORDS} n$ 300 IN A 192.0.2.${version}\n`;
  return service.http.put(`/v2/domains/${domain}/zonefile`, file);
}

test('rule 35: a large zone that is replaced answers on, and with its new content as soon as the write is answered', async () => {
  const domain = await createDomain(service);
  expect((await replaceZone(domain, 1)).status).toBe(200);
  expect(await service.dns.look(`n${RECORDS}.${domain}`, 'A', patient)).toEqual(['192.0.2.1']);

  let answered = 1;
  const answers: Answer[] = [];
  const asking = (async () => {
    while (answered < ROUNDS) {
      const atLeast = answered;
      const seen = await service.dns.look(`n${RECORDS}.${domain}`, 'A', patient).catch(String);
      answers.push({ atLeast, seen });
    }
  })();
  for (let version = 2; version <= ROUNDS; version++) {
    const [replaced, added] = await Promise.all([
      replaceZone(domain, version),
      postRecord(service, domain, { name: `beside-${version}` }),
    ]);
    expect([replaced.status, added.status]).toEqual([200, 201]);
    answered = version;
  }
  await asking;
  const wrong = answers.filter(({ atLeast, seen }) => {
    const right = [atLeast, atLeast + 1].map((version) => `["192.0.2.${version}"]`);
    return !right.includes(JSON.stringify(seen));
  });
  expect(wrong).toEqual([]);
  expect(answers.length).toBeGreaterThan(10);
  expect(await service.dns.look(`n1.${domain}`, 'A', patient)).toEqual([`192.0.2.${ROUNDS}`]);
});
