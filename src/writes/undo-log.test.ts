import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { finishSteps } from '../base/steps.ts';
import type { Author, Command, DomainWrite } from './command.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { BatchWrites } from './batch-writes.ts';
import { PendingBatch } from './pending-batch.ts';
import { readMemoryRows } from './row-reader.test-support.ts';
import { runBatch, type Decision } from './run-batch.ts';
import { START_MS, START_SECONDS, newRecord } from '../store/suite/store-scene.test-support.ts';

const author: Author = { accountId: 'a', keyId: 'k', atMs: START_MS };
const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
const [standing, gone, young] = ['standing.example', 'gone.example', 'young.example'] as ZoneName[];
const owners = ['', 'www', 'many'];
const OCTETS = 24;

/** Two small owners, and one of so many records that they are found by an index. */
const committed = [
  newRecord('www', 1),
  newRecord('', 1),
  ...Array.from({ length: 18 }, (_, at) => newRecord('many', at + 1)),
];
const past = [newRecord('www', 1), newRecord('www', 2)];
const domain: Domain = {
  id: 7,
  accountId: author.accountId,
  name: standing,
  createdAtSeconds: START_SECONDS,
  serial: 100,
  soaPrimary: null,
  soaEmail: null,
  recordCount: committed.length,
  octets: 0,
  denial: null,
  renewAtSeconds: null,
  withdrawnAtSeconds: null,
  awaitsDsSinceSeconds: null,
  presignedUntilSeconds: null,
  revisedSerial: 100,
  signingWork: null,
  withheld: [],
  withheldSeq: null,
  claim: null,
};
const deleted: DeletedDomain = {
  ...domain,
  id: 5,
  name: gone,
  recordCount: past.length,
  contentHash: null,
  deletedAtMs: 1,
};
const rows = readMemoryRows({
  domains: [domain],
  deletedDomains: [deleted],
  records: { [domain.id]: committed, [deleted.id]: past },
});

interface Step {
  readonly kind: Command['kind'];
  readonly at: ZoneName;
  readonly owner: string;
  readonly octet: number;
  readonly pick: number;
  readonly ttl: number;
  readonly fate: 'kept' | 'dry run' | 'precondition fails' | 'bug';
}

const kinds = ['createRecord', 'updateRecord', 'deleteRecord', 'changeRecords', 'importZone'] as const;
const rare = ['createDomain', 'updateDomain', 'deleteDomain', 'restoreDomain', 'revertRecords'] as const;
const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds, ...kinds, ...kinds, ...rare),
  at: fc.constantFrom(standing, standing, standing, gone, young),
  owner: fc.constantFrom(...owners),
  octet: fc.integer({ min: 1, max: OCTETS }),
  pick: fc.nat(),
  ttl: fc.constantFrom(300, 301),
  fate: fc.constantFrom('kept', 'kept', 'kept', 'dry run', 'precondition fails', 'bug'),
});

test('refused, failed and dry-run commands leave no trace in a batch', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 25 }), (steps) => {
      const ids = [...committed, ...past].map(({ id }) => id);
      const commands = steps.map((step) => toCommand(step, ids));
      const all = run(commands);
      const isKept = (_: unknown, at: number): boolean =>
        isDone(all.results[at]) && steps[at].fate === 'kept';
      const only = run(commands.filter(isKept));
      expect(all.results.filter(isKept).map(valueOf)).toEqual(only.results.map(valueOf));
      expect(contentOf(all.batch)).toEqual(contentOf(only.batch));
      expect(inOrder(all.batch.finish())).toEqual(inOrder(only.batch.finish()));
    }),
    { numRuns: 200 },
  );
});

function run(commands: readonly Command[]) {
  const batch = new PendingBatch(rows, {
    lastSeq: 10,
    lastDomainId: 41,
    accountCount: 1,
    keyCount: 1,
    domainCount: 1,
  });
  return { batch, results: finishSteps(runBatch(commands, batch, () => false)) };
}

/** An author whose commands fail when their outcome is to be kept: after everything has been written. */
function failingAuthor(): Author {
  let reads = 0;
  return {
    ...author,
    get idempotency() {
      if (reads++ > 0) throw new Error('bug');
      return undefined;
    },
  };
}

/** @param ids of all records so far, added to */
function toCommand({ kind, at, owner, octet, pick, ttl, fate }: Step, ids: string[]): Command {
  const terms: DomainWrite = {
    author: fate === 'bug' ? failingAuthor() : author,
    dryRun: fate === 'dry run' ? true : undefined,
    ifMatch: fate === 'precondition fails' ? ['"0-0"'] : undefined,
  };
  const recordId = ids[pick % ids.length];
  const patch = pick % 3 === 0 ? { ttl } : pick % 3 === 1 ? { name: owner } : { data: `192.0.2.${octet}` };
  const records = [0, 1, 2].map((more) =>
    recordOf(owners[(pick + more) % 3], octet + more, ttl, pick + more),
  );
  ids.push(...records.map(({ id }) => id));
  switch (kind) {
    case 'createRecord':
      return { ...terms, kind, domain: at, record: records[0] };
    case 'updateRecord':
      return { ...terms, kind, domain: at, recordId, patch, rules };
    case 'deleteRecord':
      return { ...terms, kind, domain: at, recordId };
    case 'changeRecords': {
      const [first, second] = [ids[(pick + 1) % ids.length], ids[(pick + 2) % ids.length]];
      const updates = [
        { id: first, patch },
        ...(pick % 2 === 0 ? [{ id: second, patch: { name: owner } }] : []),
      ];
      const deletes = pick % 5 === 0 ? [recordId] : [];
      return { ...terms, kind, domain: at, changes: { deletes, updates, creates: records.slice(1) }, rules };
    }
    case 'importZone': {
      const nameservers = pick % 2 === 0 ? [recordOf('', 99, 300, 0)] : undefined;
      const mode = pick % 3 === 0 ? 'replace' : 'merge';
      return { ...terms, kind, domain: at, records, mode, soa: null, nameservers };
    }
    case 'createDomain':
      return { ...terms, kind, name: at, address: null, nameservers: records.slice(0, 1) };
    case 'updateDomain':
      return { ...terms, kind, name: at, soaEmail: `a${pick % 2}@example.net` };
    case 'restoreDomain':
      return { ...terms, kind, name: at, id: pick % 2 === 0 ? undefined : [5, 7, 42][pick % 3] };
    case 'revertRecords':
      return { ...terms, kind, domain: at, to: domain.serial };
    default:
      return { ...terms, kind: 'deleteDomain', name: at };
  }
}

/** Mostly an A record, sometimes a CNAME, which conflicts with nearly everything. */
function recordOf(owner: string, octet: number, ttl: number, pick: number): DomainRecord {
  if (pick % 11 !== 0) return newRecord(owner, octet, { ttl });
  return newRecord(owner, 1, {
    ttl,
    type: rrType.CNAME,
    data: 'a.example',
    rdata: Uint8Array.of(1, 0x61, 0),
  });
}

function isDone(decision: Decision): boolean {
  return decision.kind === 'decided' && decision.result.ok;
}

/** Without the revision, which tells a command's place in its batch. */
function valueOf(decision: Decision): unknown {
  return decision.kind === 'decided' && decision.result.ok ? decision.result.value : null;
}

/** All records, each found and measured where it stands. */
function contentOf(batch: PendingBatch): unknown {
  return [standing, gone, young].map((name) => {
    const found = batch.findDomain(name);
    if (found === undefined) return null;
    const records = batch.recordsOf(found);
    expect(found.recordCount).toBe(records.length);
    for (const owner of new Set(records.map((record) => record.owner))) {
      const here = batch.recordsAt(found, owner);
      expect(here.all).toEqual(records.filter((record) => record.owner === owner));
      expect(here.all.map((record) => here.findSame(record)?.id)).toEqual(here.all.map(({ id }) => id));
      const ofType = here.all.filter(({ type }) => type === rrType.A);
      expect(here.measure(rrType.A)).toEqual({ records: ofType.length, octets: ofType.length * 4 });
    }
    return records;
  });
}

/** Which domain was looked at first does not matter. */
function inOrder(writes: BatchWrites): unknown {
  const sorted = (list: readonly unknown[]): string[] => list.map((item) => JSON.stringify(item)).sort();
  return Object.fromEntries(
    Object.entries(writes).map(([table, list]) => [
      table,
      Array.isArray(list) && table !== 'changes' ? sorted(list) : list,
    ]),
  );
}
