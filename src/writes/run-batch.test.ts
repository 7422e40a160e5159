import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import type { Command } from './command.ts';
import { author, record } from './decide-scene.test-support.ts';
import { PendingBatch } from './pending-batch.ts';
import type { RowReader } from './row-reader.ts';
import { noCounters, readMemoryRows } from './row-reader.test-support.ts';
import { runBatch } from './run-batch.ts';

const storeFault = new Error('disk');

/** Reading a name that begins with `fault` fails. */
const rows: RowReader = {
  ...readMemoryRows(),
  findRetiredSerial: (name) => {
    if (name.startsWith('fault')) throw storeFault;
    return undefined;
  },
};

test('writes of refused and failing commands are undone, other commands of the batch stay', () => {
  const batch = openBatch();
  const decisions = run(batch, [
    createZone('one.example'),
    { ...createZone('failing.example'), soa: failingSoa },
    {
      ...createZone('refused.example'),
      records: [record('a', 'www A 192.0.2.1'), record('b', 'www CNAME a.test')],
    },
    createZone('two.example'),
  ]);
  expect(decisions.map(({ kind }) => kind)).toEqual(['decided', 'failed', 'decided', 'decided']);
  expect(decisions[1]).toMatchObject({ message: expect.stringContaining('bug') as string });
  expect(decisions[2]).toMatchObject({ result: { ok: false, refusal: { code: 'record_conflict' } } });
  const { createdDomains, changes } = batch.finish();
  expect(createdDomains.map(({ id, name }) => [id, name])).toEqual([
    [1, 'one.example'],
    [2, 'two.example'],
  ]);
  expect(changes.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('a failure of the store fails the whole batch', () => {
  const commands = [createZone('one.example'), createZone('fault.example')];
  expect(() => run(openBatch(), commands)).toThrow(storeFault);
});

/** SOA fields are read last, after the domain has been created. */
const failingSoa = {
  get soaEmail(): string {
    throw new Error('bug');
  },
};

function createZone(name: string): Extract<Command, { readonly kind: 'importZone' }> {
  const domain = name as ZoneName;
  return { kind: 'importZone', author, domain, records: [], mode: 'merge', soa: null, nameservers: [] };
}

function openBatch(): PendingBatch {
  return new PendingBatch(rows, noCounters);
}

function run(batch: PendingBatch, commands: readonly Command[]) {
  return finishSteps(runBatch(commands, batch, (error) => error === storeFault));
}

test('a batch ends with the command that makes it large; the others belong to the next one', () => {
  const long = { data: 'x'.repeat(65_000), rdata: new Uint8Array(65_000) };
  const records = Array.from({ length: 70 }, (_, at) => ({ ...record(`r${at}`, `r${at} TXT x`), ...long }));
  const commands = ['one.example', 'two.example'].map((name) => ({ ...createZone(name), records }));
  const batch = openBatch();
  expect(run(batch, commands)).toHaveLength(1);
  expect(batch.finish().createdDomains.map(({ name }) => name)).toEqual(['one.example']);
});
