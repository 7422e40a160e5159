import { expect, test } from 'vitest';
import { commandOf, optionsOf, queryOf, readFilter } from './trail-filter.ts';

test('a filter comes from the address, without what is empty or unknown', () => {
  const query = new URLSearchParams('action=key.&actor=&to=2026-11-20&other=x');
  expect(readFilter(query)).toEqual({ action: 'key.', to: '2026-11-20' });
});

test('both days are included, by the calendar of the browser', () => {
  const { from = '', to = '' } = optionsOf({ from: '2026-11-20', to: '2026-11-20' }, undefined);
  expect(new Date(from).getHours()).toBe(0);
  expect(new Date(to).getDate()).toBe(21);
  expect(new Date(to).getHours()).toBe(0);
});

test('what is no day is left out', () => {
  expect(optionsOf({ from: 'soon', action: 'key.create' }, 'all')).toEqual({
    account: 'all',
    action: 'key.create',
  });
});

test('the request and the command have the same filters', () => {
  const options = { account: 'all', action: 'key.', object: 'a b' };
  expect(queryOf(options)).toBe('?account=all&action=key.&object=a+b');
  expect(commandOf(options)).toBe("zonewright trail --account all --action key. --object 'a b'");
  expect(queryOf({})).toBe('');
});
