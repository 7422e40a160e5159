import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanToken, type Token } from './tokens.ts';

function tokensOf(text: string): string[] | string {
  const found: string[] = [];
  let at = 0;
  for (;;) {
    const token = scanToken(text, at);
    if (token === undefined) return found;
    if (!token.ok) return token.problem;
    found.push(`${token.value.kind} ${token.value.text}`);
    at = token.value.end;
  }
}

test.each([
  ['', []],
  [' \t\r ', []],
  ['10 mail.example.', ['word 10', 'word mail.example.']],
  ['"a b" c', ['quoted a b', 'word c']],
  ['"a""b"', ['quoted a', 'quoted b']],
  ['"say \\"hi\\" ; ()"', ['quoted say \\"hi\\" ; ()']],
  ['"\\\\" x', ['quoted \\\\', 'word x']],
  ['a\\ b', ['word a\\ b']],
  ['alpn="h2, h3" port=1', ['word alpn="h2, h3"', 'word port=1']],
  ['a(b)c', ['word a', 'open (', 'word b', 'close )', 'word c']],
  ['a ; b "\nc', ['word a', 'comment  b "', 'newline \n', 'word c']],
  ['a\\;b', ['word a\\;b']],
  ['""', ['quoted ']],
])('%j is split into %j', (text, expected) => {
  expect(tokensOf(text)).toEqual(expected);
});

test.each([
  ['"a', 'the quote at character 1 is not closed'],
  ['x "a\\"', 'the quote at character 3 is not closed'],
  ['"a"b', 'there is no space after the closing quote at character 3'],
  ['a"b"', 'a quote inside a word at character 2'],
  ['a\\', 'the escape at character 2 is broken'],
  ['"\\999"', 'the escape at character 2 is broken'],
  ['a\\12', 'the escape at character 2 is broken'],
])('%j is rejected: %s', (text, problem) => {
  expect(tokensOf(text)).toContain(problem);
});

test('tokens carry their positions, and the scan always reaches the end', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '0', ';', '(', ')', '\n', ' ', '=', 'é') });
  fc.assert(
    fc.property(text, (source) => {
      let last: Token | undefined;
      for (let at = 0; ;) {
        const token = scanToken(source, at);
        if (!token?.ok) break;
        expect(token.value.start).toBeGreaterThanOrEqual(at);
        expect(token.value.end).toBeGreaterThan(token.value.start);
        expect(source.slice(token.value.start, token.value.end)).toContain(token.value.text);
        last = token.value;
        at = last.end;
      }
      if (last !== undefined) expect(last.end).toBeLessThanOrEqual(source.length);
    }),
  );
});
