import { expect, test } from 'vitest';
import { isSameAnswer } from './is-same-answer.ts';

function served(...answer: string[]) {
  return { rcode: 'NOERROR', authoritative: true, answer, authority: [], additional: [] };
}

function said(...answer: string[]) {
  return {
    address: '9.9.9.9',
    rcode: 'NOERROR',
    authenticated: false,
    answer,
    duration_ms: 1,
    problem: null,
  };
}

const one = 'www.a.test. 300 IN A 192.0.2.1';
const two = 'www.a.test. 300 IN A 192.0.2.2';
const alias = 'www.a.test. 300 IN CNAME b.test.';

test.each([
  [
    'the same with another TTL, order and case',
    served(one, two),
    said(two, 'WWW.a.test. 12 IN A 192.0.2.1'),
    true,
  ],
  ['another address', served(one), said(two), false],
  ['fewer records', served(one, two), said(one), false],
  ['another code', served(), { ...said(), rcode: 'NXDOMAIN' }, false],
  ['signatures here', served(one, 'www.a.test. 300 IN RRSIG A 13 3 300 x'), said(one), true],
  ['an alias that was followed', served(alias), said(alias, 'b.test. 60 IN A 192.0.2.9'), undefined],
  ['another alias', served(alias), said('www.a.test. 300 IN CNAME c.test.'), false],
  ['a referral', { ...served(), authoritative: false }, said(one), undefined],
  ['no answer', served(one), { ...said(), rcode: null, answer: null }, undefined],
])('isSameAnswer(): %s', (_, ours, theirs, expected) => {
  expect(isSameAnswer(ours, theirs)).toBe(expected);
});
