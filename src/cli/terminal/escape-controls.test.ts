import { expect, test } from 'vitest';
import { escapeControls, escapeJson, escapeLines, escapeZoneFile } from './escape-controls.ts';

const nasty = 'a\u001b[2Jb\u009bc\u202ed\u2066e\u061cf\u2028g';

test('control characters, line separators and bidirectional formatting are escaped', () => {
  expect(escapeControls('a\u001b[2Jb\tc\nd\u009be')).toBe('a\\027[2Jb\\009c\\010d\\155e');
  expect(escapeControls(nasty)).toBe('a\\027[2Jb\\155c\\u{202e}d\\u{2066}e\\u{61c}f\\u{2028}g');
  expect(escapeControls('münchen 🌍 "x"')).toBe('münchen 🌍 "x"');
});

test('text of several lines keeps its lines', () => {
  expect(escapeLines('a\u0007\nb\n')).toBe('a\\007\nb\n');
});

test('escaped JSON is the same value', () => {
  const text = JSON.stringify({ data: nasty });
  expect(escapeJson(text)).not.toMatch(/[\u007f-\u009f\u061c\u2028\u202e\u2066]/);
  expect(JSON.parse(escapeJson(text))).toEqual({ data: nasty });
  expect(escapeJson('[{},\n{}]\n')).toBe('[{},\n{}]\n');
});

test('an escaped zone file has the octets of each character', () => {
  expect(escapeZoneFile('www\t60\tTXT "\u009b\u202e"\n')).toBe('www\t60\tTXT "\\194\\155\\226\\128\\174"\n');
});
