import type { RolloverJson } from '../../src/contract/signing-status-shape.ts';
import type { HttpClient, HttpReply } from '../harness/http-client.ts';
import type { Random } from '../harness/random.ts';
import { readSignedState, type SignedState } from './signed-state.ts';
import type { Victim } from './victim.ts';

/*
 * A writer with a domain of its own, which it signs, rolls, switches off and on, and changes in between. Each answer says
 * what must be so afterwards, and everything must still be so when the writer looks again, whatever was killed meanwhile.
 */

/** Changes that were acknowledged, by their words. */
export type SigningCounts = ReadonlyMap<string, number>;

export interface SigningWriterContext {
  readonly victim: Victim;
  readonly domain: string;
  readonly random: Random;
  /** Sentences about faults. */
  readonly faults: string[];
  stopped(): boolean;
  /** Called with each change that was acknowledged. */
  onChange(): void;
}

interface Change {
  readonly words: string;
  readonly send: (http: HttpClient) => Promise<HttpReply>;
  /** The expected status codes. */
  readonly wanted: readonly number[];
  /** The expected status codes if an earlier attempt may have taken effect; `wanted` if absent. */
  readonly wantedAgain?: readonly number[];
  /** Returns what is wrong with the state afterwards; undefined if nothing is. */
  readonly check: (before: SignedState, after: SignedState, reply: HttpReply) => string | undefined;
}

/** Few, so that names have several sets. */
const LABELS = 4;

/** Resolves with the counts of its changes, and with the last state, which must hold after the last kill. */
export async function runSigningWriter(
  context: SigningWriterContext,
): Promise<{ readonly counts: SigningCounts; readonly state: SignedState }> {
  const { victim, domain, random, faults } = context;
  const counts = new Map<string, number>();
  let state = await readSignedState(victim, domain, faults);
  for (let number = 0; !context.stopped(); number++) {
    const change = chooseChange(context, state, number);
    const generation = victim.generation();
    const { reply, repeated } = await victim.request(change.send);
    context.onChange();
    const wanted = repeated ? (change.wantedAgain ?? change.wanted) : change.wanted;
    const title = `${domain}: ${change.words} (${number}, repeated: ${repeated})`;
    if (!wanted.includes(reply.status)) faults.push(`${title} was answered ${reply.status} ${reply.text}`);
    const after = await readSignedState(victim, domain, faults);
    const problem = change.check(state, after, reply);
    if (problem !== undefined) faults.push(`${title}: ${problem}`);
    if (victim.generation() !== generation || random.below(4) === 0) {
      const again = await readSignedState(victim, domain, faults);
      if (JSON.stringify(again) !== JSON.stringify(after))
        faults.push(`${title}: read twice: ${JSON.stringify(after)}, ${JSON.stringify(again)}`);
    }
    for (const words of repeated ? [change.words, 'repeated'] : [change.words])
      counts.set(words, (counts.get(words) ?? 0) + 1);
    state = after;
  }
  return { counts, state };
}

function chooseChange(context: SigningWriterContext, state: SignedState, number: number): Change {
  const { domain, random } = context;
  const path = `/v2/domains/${domain}`;
  const { denial, rollover, records } = state;
  const choice = random.below(100);
  if (choice < 45 || (denial === null && choice < 65)) {
    const known = records.length === 0 || random.below(3) > 0 ? undefined : random.pick(records);
    return known === undefined ? addRecord(path, random, number) : removeRecord(path, known);
  }
  if (denial === null) return switchOn(path);
  if (choice < 60) return changeDenial(path, denial === 'nsec' ? 'nsec3' : 'nsec');
  if (choice < 65) return endAtOnce(path);
  if (rollover?.kind === 'withdrawal') return switchOn(path);
  if (rollover !== null) return cancel(path, rollover.id);
  return choice < 90 ? roll(path, random.pick([13, 15]), `${domain}-${number}`) : withdraw(path);
}

function switchOn(path: string): Change {
  return {
    words: 'switched on',
    send: (http) => http.put(path, { dns_sec: 'enabled' }),
    wanted: [204],
    check: (before, after) => {
      if (after.wish !== 'enabled' || after.rollover !== null || after.keys.length === 0)
        return 'it is not signed';
      const isSame = before.denial === null || sameKeys(before, after);
      return isSame ? undefined : 'the withdrawal was taken back with another key';
    },
  };
}

function changeDenial(path: string, denial: 'nsec' | 'nsec3'): Change {
  return {
    words: 'denial changed',
    send: (http) => http.patch(`${path}/dnssec`, { denial }),
    wanted: [204],
    check: (before, after) =>
      after.denial === denial && sameKeys(before, after) && after.rollover?.id === before.rollover?.id
        ? undefined
        : 'the denial, the keys or the rollover are not right',
  };
}

function endAtOnce(path: string): Change {
  return {
    words: 'ended at once',
    send: (http) => http.put(`${path}?force=true`, { dns_sec: 'disabled' }),
    wanted: [204],
    check: (_, { wish, keys, rollover }) =>
      wish === 'disabled' && keys.length === 0 && rollover === null ? undefined : 'it is still signed',
  };
}

/** An idempotency key makes the repetition of a request return the same rollover. */
function roll(path: string, algorithm: number, idempotencyKey: string): Change {
  const options = { headers: { 'idempotency-key': idempotencyKey } };
  return {
    words: 'rolled',
    send: (http) => http.post(`${path}/dnssec/rollovers`, { algorithm }, options),
    wanted: [201],
    check: ({ keys }, after, { text }) => {
      const { rollover } = JSON.parse(text) as { rollover: RolloverJson };
      const isKept = keys.every((key) => after.keys.includes(key)) && after.keys.length === keys.length + 1;
      return isKept && after.rollover?.id === rollover.id ? undefined : 'the rollover or a key is missing';
    },
  };
}

function cancel(path: string, id: string): Change {
  return {
    words: 'cancelled',
    send: (http) => http.delete(`${path}/dnssec/rollovers/${id}`),
    wanted: [204],
    wantedAgain: [204, 404],
    check: ({ keys }, after) => {
      const isOne = after.keys.length === keys.length - 1 && after.keys.every((key) => keys.includes(key));
      return after.rollover === null && isOne ? undefined : 'the rollover or its key is still there';
    },
  };
}

function withdraw(path: string): Change {
  return {
    words: 'withdrawn',
    send: (http) => http.put(path, { dns_sec: 'disabled' }),
    wanted: [204],
    check: (before, after) =>
      after.wish === 'disabled' && after.rollover?.kind === 'withdrawal' && sameKeys(before, after)
        ? undefined
        : 'the withdrawal or a key is missing',
  };
}

/** Delegations and wildcards change what is signed elsewhere. */
function addRecord(path: string, random: Random, number: number): Change {
  const label = `n${random.below(LABELS)}`;
  const name = random.pick([label, `deep.${label}`, `*.${label}`, `cut${random.below(LABELS)}`]);
  const type = name.startsWith('cut') ? 'NS' : random.pick(['TXT', 'A']);
  const data = {
    NS: `ns${number}.elsewhere.example`,
    TXT: `"${number}"`,
    A: `192.0.${number >> 8}.${number & 255}`,
  }[type];
  const record = { type, name, data, ttl: 300 };
  return {
    words: 'record added',
    send: (http) => http.post(`${path}/records`, record),
    wanted: [201],
    wantedAgain: [200, 201],
    check: (before, after, { json }) => {
      const id = json.record?.id ?? '';
      const isAdded = after.records.length === before.records.length + 1 && after.records.includes(id);
      return isAdded && sameKeys(before, after) ? undefined : 'the record or a key is missing';
    },
  };
}

function removeRecord(path: string, id: string): Change {
  return {
    words: 'record removed',
    send: (http) => http.delete(`${path}/records/${id}`),
    wanted: [204],
    wantedAgain: [204, 404],
    check: (before, after) =>
      !after.records.includes(id) && sameKeys(before, after) ? undefined : 'the record is still there',
  };
}

function sameKeys(before: SignedState, after: SignedState): boolean {
  return before.keys.join() === after.keys.join();
}
