import type { Random } from '../harness/random.ts';
import type { Target } from '../kill/record-writer.ts';

/*
 * Two accounts create the same domain at the same moment, each through any process: one gets it, the other is
 * refused, and the domain is never shared.
 */

export const CONTESTANTS = 2;
const NAMES = 10;
const DELETED_AFTER = 0.7;

type Request = Target['request'];

export interface Contest {
  /** Runs until `stopped`; resolves with the number of acknowledged writes. */
  run(stopped: () => boolean): Promise<number>;
  /** Compares the domains of each account with the answers it received; returns faults. */
  check(): Promise<string[]>;
}

export async function startContest(request: Request, random: Random, faults: string[]): Promise<Contest> {
  const keys: string[] = [];
  for (let i = 0; i < CONTESTANTS; i++) keys.push(await createAccount(request, `contestant ${i}`));
  /** Maps each name to the key of the account that won it. */
  const holders = new Map<string, string>();
  let acknowledged = 0;

  const contest = async (domain: string): Promise<void> => {
    const answers = await Promise.all(
      keys.map(async (key) => {
        const { reply, repeated } = await request((http) =>
          http.withKey(key).post('/v2/domains', { domain }),
        );
        const hasIt = reply.status === 201 || (repeated && reply.status === 200);
        return { key, hasIt, isRefused: reply.status === 409, text: `${reply.status} ${reply.text}` };
      }),
    );
    const winners = answers.filter(({ hasIt }) => hasIt);
    if (winners.length !== 1 || answers.filter(({ isRefused }) => isRefused).length !== CONTESTANTS - 1)
      faults.push(`creating ${domain} at once was answered ${answers.map(({ text }) => text).join(' and ')}`);
    const [winner] = winners;
    if (winners.length > 0) holders.set(domain, winner.key);
    acknowledged += CONTESTANTS;
  };
  const free = async (domain: string, holder: string): Promise<void> => {
    const { reply, repeated } = await request((http) => http.withKey(holder).delete(`/v2/domains/${domain}`));
    if (reply.status !== 204 && !(repeated && reply.status === 404))
      faults.push(`deleting ${domain} (repeated: ${repeated}) was answered ${reply.status} ${reply.text}`);
    holders.delete(domain);
    acknowledged++;
  };
  return {
    run: async (stopped) => {
      while (!stopped()) {
        const domain = `contested${random.below(NAMES)}.example`;
        const holder = holders.get(domain);
        if (holder === undefined) await contest(domain);
        else if (random.next() < DELETED_AFTER) await free(domain, holder);
      }
      return acknowledged;
    },
    check: async () => {
      const wrong: string[] = [];
      for (const key of keys) {
        const { reply } = await request((http) => http.withKey(key).get('/v2/domains'));
        const listed = reply.json.domains?.map(({ domain }) => domain).join();
        const expected = [...holders].filter(([, holder]) => holder === key).map(([domain]) => domain);
        if (listed !== expected.sort().join())
          wrong.push(`${String(listed)} is listed for an account that has ${expected.join()}`);
      }
      return wrong;
    },
  };
}

/** Returns the key of the account. */
async function createAccount(request: Request, name: string): Promise<string> {
  const { reply } = await request((http) =>
    http.post('/v2/accounts', { name, email: 'someone@example.com' }),
  );
  const { key } = reply.json;
  if (key === undefined) throw new Error(`creating ${name} was answered ${reply.status} ${reply.text}`);
  return key.key;
}
