import { useState } from 'react';
import { formatDuration } from '../text/format-values.ts';
import { text } from '../text/en.ts';
import {
  declarationOf,
  findDataProblem,
  findMissingField,
  hasForm,
  joinData,
  splitData,
  type DataProblem,
} from './data-fields.ts';
import { parseTtl } from './parse-ttl.ts';
import { stagedName } from './record-name.ts';
import type { RecordValue } from './record-value.ts';
import type { RecordType } from '../../../src/dns/record-type.ts';

export interface RecordForm {
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly type: string;
  readonly setType: (type: string) => void;
  readonly ttl: string;
  readonly setTtl: (ttl: string) => void;
  /** Undefined: what was typed is no TTL. */
  readonly ttlSeconds: number | undefined;
  /** Undefined: the data has no form. */
  readonly declaration: RecordType | undefined;
  /** The texts of the fields. */
  readonly fields: readonly string[];
  readonly setField: (index: number, value: string) => void;
  readonly raw: string;
  readonly setRaw: (raw: string) => void;
  /** Shown once something was typed or submitted. */
  readonly problem: DataProblem | undefined;
  /** Something was typed that closing would lose. */
  readonly isChanged: boolean;
  /** Returns what to stage; undefined: something is wrong, and shown from now on. */
  readonly submit: () => RecordValue | undefined;
}

/** An hour: what most records have. */
const USUAL_TTL_SECONDS = 3600;

const emptyValue = { name: '', type: 'A', data: '' };

interface Data {
  readonly raw: string;
  readonly fields: readonly string[];
}

/** The state of the editor. Fields and raw text are two views of one value: each keystroke in one is seen in the other. */
export function useRecordForm(value: RecordValue | undefined): RecordForm {
  const [given] = useState(() => ({
    ...emptyValue,
    ...value,
    ttl: writeTtl(value?.ttl ?? USUAL_TTL_SECONDS),
  }));
  const [name, setName] = useState(given.name);
  const [type, setTypeName] = useState(given.type);
  const [ttl, setTtl] = useState(given.ttl);
  const [data, setData] = useState<Data>(() => dataFromRaw(given.type, given.data));
  const [isJudged, setJudged] = useState(false);
  const declaration = formOf(type);
  const ttlSeconds = parseTtl(ttl);
  const problem = problemOf(type, declaration, data);
  return {
    name,
    setName,
    type,
    setType: (next) => {
      setTypeName(next);
      setData(dataFromRaw(next, data.raw));
      setJudged(false);
    },
    ttl,
    setTtl,
    ttlSeconds,
    declaration,
    fields: data.fields,
    setField: (index, next) => {
      if (declaration === undefined) return;
      const fields = declaration.fields.map((_, at) => (at === index ? next : (data.fields[at] ?? '')));
      setData({ fields, raw: joinData(declaration, fields) });
    },
    raw: data.raw,
    setRaw: (raw) => setData(dataFromRaw(type, raw)),
    isChanged: name !== given.name || type !== given.type || ttl !== given.ttl || data.raw !== given.data,
    problem: isJudged || data.raw.trim() !== '' ? problem : undefined,
    submit: () => {
      setJudged(true);
      if (problem !== undefined || ttlSeconds === undefined) return undefined;
      return {
        type: type.trim().toUpperCase(),
        name: stagedName(name, value?.name),
        data: data.raw.trim(),
        ttl: ttlSeconds,
      };
    },
  };
}

function formOf(type: string): RecordType | undefined {
  const declaration = declarationOf(type);
  return declaration !== undefined && hasForm(declaration) ? declaration : undefined;
}

function dataFromRaw(type: string, raw: string): Data {
  const declaration = formOf(type);
  return { raw, fields: declaration === undefined ? [] : splitData(declaration, raw) };
}

function problemOf(
  type: string,
  declaration: RecordType | undefined,
  { raw, fields }: Data,
): DataProblem | undefined {
  const missing = declaration && findMissingField(declaration, fields);
  if (missing !== undefined) {
    const message = text.editor.missing(missing.name, missing.codec.expects);
    return { message, field: missing.name };
  }
  return findDataProblem(type, raw);
}

/** Exact, unlike numbers that are grouped. */
function writeTtl(seconds: number): string {
  return seconds < 60 || parseTtl(formatDuration(seconds)) !== seconds
    ? String(seconds)
    : formatDuration(seconds);
}
