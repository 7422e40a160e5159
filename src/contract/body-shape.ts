// One schema per request body: it validates (compiled once), gives the TypeScript type, and stands in the OpenAPI
// document. Judges JSON types only; what a value means is for the model and the operations.
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Refusal } from '../model/refusal.ts';

export interface BodyShape<T, Schema extends TSchema = TSchema> {
  readonly schema: Schema;
  /** The known members that are there, without those that are null; or the first thing that is wrong. */
  readonly check: (body: unknown) => CheckedBody<T>;
}

export type CheckedBody<T> =
  { readonly ok: true; readonly value: Present<T> } | { readonly ok: false; readonly refusal: Refusal };

/** `null` means absent (contract rule 2). */
export type Present<T> = { readonly [K in keyof T]: Exclude<T[K], null> };

/** A text that may be absent or null. */
export function optionalText(description: string, examples: readonly string[] = []) {
  return Type.Optional(Type.Union([Type.String(), Type.Null()], { description, examples }));
}

/** An integer that may be spelt as a decimal string, and may be absent or null. */
export function optionalInteger(description: string, examples: readonly number[] = []) {
  return Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()], { description, examples }));
}

/** A list of anything, that may be absent or null. */
export function optionalList() {
  return Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()]));
}

/** One of a few words, and may be absent or null. */
export function optionalWord<const Words extends readonly string[]>(
  words: readonly [...Words],
  description: string,
) {
  return Type.Optional(Type.Unsafe<Words[number] | null>({ enum: [...words, null], description }));
}

/** Compiles a schema. Members it does not know are dropped, whatever they are called. */
export function bodyShape<P extends TProperties>(
  schema: TObject<P>,
): BodyShape<Static<TObject<P>>, TObject<P>> {
  const validator = Compile(schema);
  const names = Object.keys(schema.properties);
  return {
    schema,
    check(body) {
      if (!validator.Check(body)) return { ok: false, refusal: explain(body, schema, validator) };
      const present: Record<string, unknown> = {};
      for (const name of names) {
        const value = (body as Record<string, unknown>)[name];
        if (value !== undefined && value !== null) present[name] = value;
      }
      return { ok: true, value: present as Present<Static<TObject<P>>> };
    },
  };
}

interface ExplainingValidator {
  Errors(value: unknown): readonly {
    readonly keyword: string;
    readonly instancePath: string;
    readonly params: object;
  }[];
}

function explain(body: unknown, schema: TObject, validator: ExplainingValidator): Refusal {
  const error = validator.Errors(body).at(0);
  if (error === undefined || (error.instancePath === '' && error.keyword === 'type')) {
    return { code: 'invalid_request', message: 'The request body must be a JSON object' };
  }
  const field =
    error.keyword === 'required'
      ? (error.params as { requiredProperties: [string] }).requiredProperties[0]
      : (error.instancePath.split('/')[1] ?? '');
  const value = (body as Record<string, unknown>)[field];
  const missing = value === undefined || value === null;
  const rule = missing ? 'is required' : `must be ${describe(schema.properties[field])}`;
  return { code: 'invalid_request', message: `${field} ${rule}`, field };
}

/** What a schema wants, in words. */
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
