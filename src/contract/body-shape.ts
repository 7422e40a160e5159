// One schema per request body: it validates the body (compiled once), gives the TypeScript type and appears in the OpenAPI
// document. Checks JSON types only; the model and the operations interpret the values.
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Check } from 'typebox/value';
import type { Refusal } from '../model/refusal.ts';
import { refuseAll, refused, type Refused } from '../model/result.ts';

export interface BodyShape<T, Schema extends TSchema = TSchema> {
  readonly schema: Schema;
  /** Returns the known members that are present and not null. @param what names the checked object in messages */
  readonly check: (body: unknown, what?: string) => CheckedBody<T>;
}

export type CheckedBody<T> =
  { readonly ok: true; readonly value: Present<T> } | { readonly ok: false; readonly refusal: Refusal };

/** `null` means absent (contract rule 2). */
export type Present<T> = { readonly [K in keyof T]: Exclude<T[K], null> };

/** A string that may be absent or null. */
export function optionalText(description: string, examples: readonly string[] = []) {
  return Type.Optional(Type.Union([Type.String(), Type.Null()], { description, examples }));
}

/** An integer, or a decimal string, that may be absent or null. */
export function optionalInteger(description: string, examples: readonly number[] = []) {
  return Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()], { description, examples }));
}

/** A list of any items that may be absent or null. */
export function optionalList() {
  return Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()]));
}

/** One of the given words; may be absent or null. */
export function optionalWord<const Words extends readonly string[]>(
  words: readonly [...Words],
  description: string,
) {
  return Type.Optional(Type.Unsafe<Words[number] | null>({ enum: [...words, null], description }));
}

/** Compiles a schema. Unknown members are dropped. */
export function bodyShape<P extends TProperties>(
  schema: TObject<P>,
): BodyShape<Static<TObject<P>>, TObject<P>> {
  const validator = Compile(schema);
  const names = Object.keys(schema.properties);
  return {
    schema,
    check(body, what = 'The request body') {
      if (!validator.Check(body)) return explain(body, what, schema);
      const present: Record<string, unknown> = {};
      for (const name of names) {
        const value = (body as Record<string, unknown>)[name];
        if (value !== undefined && value !== null) present[name] = value;
      }
      return { ok: true, value: present as Present<Static<TObject<P>>> };
    },
  };
}

/** Checks each member separately, because typebox stops at the eighth error. */
function explain(body: unknown, what: string, schema: TObject): Refused {
  if (!isObject(body)) return refused('invalid_request', `${what} must be a JSON object`);
  const required = new Set(schema.required);
  const wrong = Object.entries(schema.properties).filter(([member, shape]) =>
    body[member] === undefined ? required.has(member) : !Check(shape, body[member]),
  );
  return refuseAll(
    wrong.map(([member, shape]) => {
      const isMissing = body[member] === undefined || body[member] === null;
      const rule = isMissing ? 'is required' : `must be ${describe(shape)}`;
      return refused('invalid_request', `${member} ${rule}`, member);
    }),
  );
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** Describes what a schema requires: `an integer`. */
function describe(schema: unknown): string {
  const {
    type,
    enum: words,
    anyOf,
  } = schema as {
    type?: string;
    enum?: readonly (string | null)[];
    anyOf?: readonly { type?: string }[];
  };
  if (words !== undefined) {
    return words
      .filter((word) => word !== null)
      .map((word) => JSON.stringify(word))
      .join(' or ');
  }
  const first = type ?? anyOf?.[0]?.type;
  if (first === 'integer' || first === 'array') return `an ${first}`;
  return `a ${first ?? 'valid value'}`;
}
