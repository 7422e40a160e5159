import { expect, test } from 'vitest';
import { addLine, findBatchLines, findLine } from './batch-lines.ts';

const text = `{
  "delete": ["a",
    "b"],
  "create": [
    {"type": "MX", "name": "@", "data": "10 mail", "ttl": 60},

    {"type": "A", "name": "www.example.com.",
     "data": "10.0.0.1", "ttl": 60}, {"type": "TXT", "name": "x", "data": "]}\\"\\n{[", "ttl": 60},
    {"type": "A", "name": "www", "data": "10.0.0.2", "ttl": 60}
  ]
}
`;
const lines = findBatchLines(text);

test('the members of a batch are found with their lines', () => {
  expect([...lines]).toEqual([
    ['delete', [2, 3]],
    ['create', [5, 7, 8, 9]],
  ]);
});

test('a problem with a member gets its line', () => {
  const problem = { list: 'create', index: 2, code: 'invalid_request', message: 'm' } as const;
  expect(addLine(problem, lines)).toEqual({ ...problem, line: 8 });
  expect(addLine({ code: 'invalid_request', message: 'm' }, lines)).not.toHaveProperty('line');
});

test('a warning gets the line of the record that it is about', () => {
  const shown = (id: string, type: string, name: string, data: string) => ({
    ...{ id, type, name, data, ttl: 60, priority: -1 },
  });
  const batch = {
    domain: 'example.com',
    sent: JSON.parse(text) as object,
    made: {
      created: [shown('1', 'MX', '', 'mail'), shown('2', 'A', 'www', '10.0.0.2')],
      updated: [],
      deleted: [],
      unchanged: 0,
    },
    lines,
  };
  const about = (name: string, type: string | null, record: string | null) =>
    findLine({ code: 'c', severity: 'warning', name, type, record, message: '' }, batch);
  expect(about('', 'MX', '1')).toBe(5);
  expect(about('www', 'A', '2')).toBe(9);
  expect(about('www', null, null)).toBe(7);
  expect(about('elsewhere', 'A', null)).toBeUndefined();
});
