import { expect, test } from 'vitest';
import { recordTypes } from '../../../src/dns/rdata/record-type-registry.ts';
import { declarationOf, findDataProblem, hasForm, joinData, splitData } from './data-fields.ts';

const editable = recordTypes.filter((type) => type.serviceOwned !== true && hasForm(type));

test.each(editable.map((type) => [type.mnemonic, type] as const))(
  'the example of %s survives its form, and is valid',
  (mnemonic, type) => {
    expect(joinData(type, splitData(type, type.example))).toBe(type.example);
    expect(findDataProblem(mnemonic, type.example)).toBeUndefined();
  },
);

test.each([
  ['"a" "b"', 'ab', '"ab"'],
  ['"say \\"hi\\""', 'say "hi"', '"say \\"hi\\""'],
  ['bare', 'bare', '"bare"'],
])('TXT data %s is the text %s', (data, content, written) => {
  const txt = declarationOf('TXT');
  if (txt === undefined) throw new Error('TXT has a declaration');
  expect(splitData(txt, data)).toEqual([content]);
  expect(joinData(txt, [content])).toBe(written);
});

test('a problem names its field', () => {
  expect(findDataProblem('MX', '70000 mail.example.com')?.field).toBe('preference');
  expect(findDataProblem('A', '192.0.2.300')?.field).toBe('address');
  expect(findDataProblem('MX', '10 mail.münchen.example')).toBeUndefined();
});
