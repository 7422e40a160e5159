// The fields of record data, from the declaration of the type that the service uses as well, and the text that they make together.
import { dataToAscii } from '../../../src/dns/rdata/data-to-ascii.ts';
import { parseRdata } from '../../../src/dns/rdata/rdata.ts';
import { findRecordType, parseRecordType } from '../../../src/dns/rdata/record-type-registry.ts';
import type { Field, RecordType } from '../../../src/dns/record-type.ts';
import { scanToken } from '../../../src/dns/tokens.ts';
import { text } from '../text/en.ts';
import { toAscii } from '../text/name-forms.ts';

export function declarationOf(type: string): RecordType | undefined {
  const number = parseRecordType(type);
  return number === undefined ? undefined : findRecordType(number);
}

/** One word each, except the last, which takes the rest. Not for types that divide their data otherwise. */
export function hasForm(declaration: RecordType): boolean {
  return declaration.fields.every(({ codec }) => codec.kind !== 'host identity');
}

/** Text in quotes is shown without them. */
const quotedKinds: ReadonlySet<string> = new Set(['character-string', 'remaining text']);

/** Divides data into the texts of its fields; those that are missing are empty. */
export function splitData(declaration: RecordType, data: string): string[] {
  if (declaration.mnemonic === 'TXT') return [readText(data)];
  const { fields } = declaration;
  const texts: string[] = [];
  let position = 0;
  while (texts.length < fields.length - 1) {
    const scanned = scanToken(data, position);
    if (scanned?.ok !== true) break;
    texts.push(data.slice(scanned.value.start, scanned.value.end));
    position = scanned.value.end;
  }
  texts.push(data.slice(position).trim());
  return fields.map(({ codec }, index) => showField(codec.kind, texts[index] ?? ''));
}

export function joinData(declaration: RecordType, texts: readonly string[]): string {
  if (declaration.mnemonic === 'TXT') return writeText(texts[0] ?? '');
  const written = declaration.fields.map(({ codec }, index) => writeField(codec.kind, texts[index] ?? ''));
  return written.filter((word) => word !== '').join(' ');
}

function showField(kind: string, word: string): string {
  if (!quotedKinds.has(kind) || !/^"(?:[^"\\]|\\["\\])+"$/.test(word)) return word;
  return word.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
}

function writeField(kind: string, shown: string): string {
  const trimmed = shown.trim();
  if (!quotedKinds.has(kind) || trimmed === '' || /^".*"$/s.test(trimmed)) return trimmed;
  return `"${trimmed.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** TXT data of the interface: one text, in which a backslash stands for itself, except before a quote (contract rule 25). */
function readText(data: string): string {
  if (!data.startsWith('"')) return data;
  return [...data.matchAll(/"((?:\\"|[^"])*)"/g)]
    .map(([, part = '']) => part.replaceAll('\\"', '"'))
    .join('');
}

function writeText(content: string): string {
  return content === '' ? '' : `"${content.replaceAll('"', '\\"')}"`;
}

export interface DataProblem {
  readonly message: string;
  /** The field at fault; undefined: the problem concerns all of the data. */
  readonly field: string | undefined;
}

/** Checks data as the service will; TXT data and types without a declaration are left to the service. */
export function findDataProblem(type: string, data: string): DataProblem | undefined {
  const number = parseRecordType(type);
  if (number === undefined) return { message: text.editor.noType, field: undefined };
  const declaration = findRecordType(number);
  if (data.trim() === '' && declaration?.mnemonic !== 'APL')
    return { message: text.editor.noData, field: declaration?.fields[0]?.name };
  if (declaration?.mnemonic === 'TXT') return undefined;
  const ascii = dataToAscii(number, data.trim(), toAscii);
  if (!ascii.ok) return { message: sentence(ascii.problem), field: undefined };
  const wire = parseRdata(number, ascii.value);
  if (wire.ok) return undefined;
  const field = declaration?.fields.find(({ name }) => wire.problem.startsWith(`the ${name} `));
  return { message: sentence(wire.problem), field: field?.name };
}

/** The first field without a text, which would push the others into its place. */
export function findMissingField(declaration: RecordType, texts: readonly string[]): Field | undefined {
  return declaration.fields.slice(0, -1).find((_, index) => (texts[index] ?? '').trim() === '');
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
