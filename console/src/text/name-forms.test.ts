import { expect, test } from 'vitest';
import { toAscii, toUnicode } from './name-forms.ts';

test.each([
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['bücher.MÜNCHEN', 'xn--bcher-kva.xn--mnchen-3ya'],
  ['faß.example', 'xn--fa-hia.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['_sip.münchen', '_sip.xn--mnchen-3ya'],
  ['☃.example', 'xn--n3h.example'],
])('%s has the A-labels %s, and comes back', (unicode, ascii) => {
  expect(toAscii(unicode)).toBe(ascii);
  expect(toUnicode(ascii)).toBe(unicode.toLowerCase());
});

test.each(['xn--a', 'xn--99999999999.example', 'xn--', 'plain.example'])('%s stays as it is', (name) => {
  expect(toUnicode(name)).toBe(name);
});
