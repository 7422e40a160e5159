import type { JsonExport } from './json-files.ts';

/** The zone's lines with single blanks, without $ORIGIN. */
export function linesIn(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/ +/g, ' '));
}

/** An export of example.com. */
export function readExport(format: JsonExport, json: unknown) {
  const zone = format.readZone('example.com', json);
  if (zone === undefined) throw new Error('not an export');
  return { ...zone, lines: linesIn(zone.text) };
}
