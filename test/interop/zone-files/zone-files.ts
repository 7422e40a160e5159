// Checks that BIND, Knot, NSD, ldns and Zonewright read zone files alike: stored files (test/zone-files), generated ones in unusual spellings, and files written by Zonewright.

import { formatZoneFile } from '../../../src/dns/zone-file/format-zone-file.ts';
import { chooseSeed, seededRandom } from '../../harness/random.ts';
import { listCorpus, readCorpusFile, type CorpusFile, type Tool } from '../../zone-files/corpus.ts';
import { compareListings, formatListing, type ListedRecord } from '../../zone-files/listing.ts';
import { domainName, readOurselves, withoutCase } from '../../zone-files/own-reader.ts';
import type { Suite } from '../suite.ts';
import { generateZone } from './generate-zone.ts';
import { readWithBind } from './read-with-bind.ts';
import { readWithKnot, type MasterFile } from './read-with-knot.ts';
import { readWithLdns } from './read-with-ldns.ts';
import { readWithNsd } from './read-with-nsd.ts';
import { writeOddly } from './write-oddly.ts';

const GENERATED_FILES = 200;
const GENERATED_APEX = ['zone', 'test'];
const GENERATED_ORIGIN = 'zone.test.';

/** Types that a tool misreads in any spelling; corpus.ts explains each. */
const MISREAD: Readonly<Partial<Record<Tool, readonly string[]>>> = {
  'ldns-read-zone': ['odd/escapes.zone', 'rfc/9460-svcb.zone'],
};

type ReadAll = (files: readonly MasterFile[]) => Promise<(ListedRecord[] | Error)[]>;

const tools: readonly (readonly [Tool, ReadAll])[] = [
  ['named-compilezone', oneByOne(readWithBind)],
  ['knotd', readWithKnot],
  ['nsd-checkzone', oneByOne(readWithNsd)],
  ['ldns-read-zone', oneByOne(readWithLdns)],
];

export const zoneFilesSuite: Suite = {
  name: 'zone files',
  async run(runCase) {
    const corpus = listCorpus();
    for (const [tool, readAll] of tools) {
      await runCase(`${tool} reads the kept ones as we do`, () => compareKept(corpus, tool, readAll));
      await runCase(`${tool} loads what we write`, () => compareWritten(corpus, tool, readAll));
    }
    const seed = chooseSeed();
    await runCase(`made-up ones of seed ${seed}`, () => compareGenerated(seed));
  },
};

/** A file on which a tool is expected to differ must differ, or corpus.ts is wrong. */
async function compareKept(corpus: readonly CorpusFile[], tool: Tool, readAll: ReadAll): Promise<string> {
  const files = corpus.map((file) => ({ text: readCorpusFile(file), origin: file.origin }));
  const theirs = await readAll(files);
  const wrong = corpus.flatMap((file, at) => {
    const differences = compare(files[at], theirs[at]);
    const reason = file.differs[tool];
    if (reason === undefined) return differences.map((difference) => `${file.path}: ${difference}`);
    return differences.length > 0 ? [] : [`${file.path}: no difference, although ${reason}`];
  });
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return `${corpus.length} files, ${corpus.filter(({ differs }) => differs[tool] !== undefined).length} known to differ`;
}

async function compareWritten(corpus: readonly CorpusFile[], tool: Tool, readAll: ReadAll): Promise<string> {
  const files = corpus
    .filter(({ path, differs }) => {
      const haveOneTtlEach = differs['named-compilezone'] === undefined;
      return haveOneTtlEach && MISREAD[tool]?.includes(path) !== true;
    })
    .map((file) => {
      const records = readOurselves(readCorpusFile(file), file.origin);
      const pieces = formatZoneFile(domainName(file.origin), ['written by us'], firstOfEqual(records));
      return { path: file.path, origin: file.origin, text: [...pieces].join('') };
    });
  const theirs = await readAll(files);
  const wrong = files.flatMap((file, at) => compare(file, theirs[at]).map((line) => `${file.path}: ${line}`));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return `${files.length} files`;
}

/** A transfer ends with the first SOA again, which no store contains twice. */
function firstOfEqual<T extends ListedRecord>(records: readonly T[]): T[] {
  return [
    ...new Map([...records].reverse().map((record) => [formatListing([record])[0], record])).values(),
  ].reverse();
}

async function compareGenerated(seed: number): Promise<string> {
  const random = seededRandom(seed);
  for (let n = 0; n < GENERATED_FILES; n++) {
    const text = writeOddly(random, generateZone(random, GENERATED_APEX), GENERATED_APEX);
    const file = { text, origin: GENERATED_ORIGIN };
    const [theirs] = await oneByOne(readWithBind)([file]);
    const differences = compare(file, theirs);
    if (differences.length > 0) throw new Error(`file ${n}:\n${differences.join('\n')}\n${text}`);
  }
  return `${GENERATED_FILES} files, repeated with TEST_SEED=${seed}`;
}

/** Returns an empty text if the tool read the same records. */
function compare({ text, origin }: MasterFile, theirs: ListedRecord[] | Error | undefined): string[] {
  if (!Array.isArray(theirs)) return [theirs?.message ?? 'not read'];
  const own = readOurselves(text, origin);
  return compareListings(formatListing(withoutCase(own)), formatListing(withoutCase(theirs)));
}

function oneByOne(read: (text: string, origin: string) => Promise<ListedRecord[]>): ReadAll {
  return async (files) => {
    const all: (ListedRecord[] | Error)[] = [];
    for (const { text, origin } of files) {
      all.push(await read(text, origin).catch((error: unknown) => new Error(String(error))));
    }
    return all;
  };
}
