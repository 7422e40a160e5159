import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findComments } from './comments.ts';
import { readSources } from './source-tree.ts';

/* Plain English, as far as a test can keep it: CONTRIBUTING.md says how we write. */

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/contract.md'];

/** Words that this project uses for nothing, and the ones it uses instead. */
const RETIRED: readonly (readonly [found: RegExp, instead: string])[] = [
  [/\bmaster files?\b/i, 'zone file'],
  [/\bbroken off\b/i, 'interrupted'],
  [/\bmend(s|ed|ing)?\b/i, 'fixed'],
  [/\bset aside\b/i, 'skipped'],
  [/\bwhoever\b/i, 'the client, the caller, any process …'],
  [/\bprogrammes?\b/i, 'program'],
  [/\banew\b/i, 'again'],
  [/\bwhenGone\b/i, 'signal'],
];

const CONTRACTION = /\b(\w+n't|(it|that|there|who|what|let)'s|(you|we|they)'re)\b/i;

/** A sentence that begins so says neither who acts nor on what. */
const HIDDEN_SUBJECT = /^(Of|What|Where|Whoever|Who) [a-z]/;

const texts = [
  ...['src', 'test', 'bench', 'console/src'].flatMap((root) =>
    readSources(root)
      .filter(({ path }) => path !== 'architecture/language.test.ts')
      .map((source) => ({ path: `${root}/${source.path}`, parts: findComments(source.text) })),
  ),
  ...DOCUMENTS.map((path) => ({
    path,
    parts: readFileSync(`${REPOSITORY}${path}`, 'utf8')
      .split('\n')
      .map((text, index) => ({ text, line: index + 1 })),
  })),
];

function complaints(check: (text: string) => string | undefined): string[] {
  return texts.flatMap(({ path, parts }) =>
    parts.flatMap(({ text, line }) => {
      const complaint = check(text);
      return complaint === undefined ? [] : [`${path}:${line} ${complaint}`];
    }),
  );
}

test('retired words are not used', () => {
  const wrong = complaints((text) => {
    const found = RETIRED.find(([word]) => word.test(text));
    return found && `"${found[0].exec(text)?.[0] ?? ''}": write "${found[1]}"`;
  });
  expect(wrong).toEqual([]);
});

test('comments and documents use no contractions', () => {
  expect(complaints((text) => CONTRACTION.exec(text)?.[0])).toEqual([]);
});

test('comments name their subject', () => {
  const wrong = complaints((text) => (HIDDEN_SUBJECT.test(text) ? text.slice(0, 60) : undefined));
  expect(wrong, 'say who does what').toEqual([]);
});
