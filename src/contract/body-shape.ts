// One schema per request body: it validates the body, gives the TypeScript type and appears in the OpenAPI
// document. Checks JSON types only; the model and the operations interpret the values.
import type { Refusal } from '../model/refusal.ts';
import { refuseAll, refused, type Refused } from '../model/result.ts';
import {
  isJsonObject,
  matchesSchema,
  Type,
  type ObjectSchema,
  type Properties,
  type Schema,
  type Static,
} from './schema.ts';

export interface BodyShape<T, S extends Schema = Schema> {
  readonly schema: S;
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

/** `true` or `false`, that may be absent or null. */
export function optionalFlag(description: string, examples: readonly boolean[] = []) {
  return Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description, examples }));
}

/** A list of any items that may be absent or null. */
export function optionalList() {
  return Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()]));
}

/** A list of strings that may be absent or null. */
export function optionalTexts(description: string, examples: readonly (readonly string[])[] = []) {
  return Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()], { description, examples }));
}

/** One of the given words; may be absent or null. */
export function optionalWord<const Words extends readonly string[]>(
  words: readonly [...Words],
  description: string,
) {
  return Type.Optional(Type.Enum([...words, null], { description }));
}

/** Unknown members are dropped. */
export function bodyShape<P extends Properties>(
  schema: ObjectSchema<P>,
): BodyShape<Static<ObjectSchema<P>>, ObjectSchema<P>> {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties).map(([name, shape]) => ({
    name,
    shape,
    isRequired: required.has(name),
  }));
  return {
    schema,
    check(body, what = 'The request body') {
      if (!isJsonObject(body)) return refused('invalid_request', `${what} must be a JSON object`);
      const present: Record<string, unknown> = {};
      const refusals: Refused[] = [];
      for (const { name, shape, isRequired } of members) {
        const value = body[name];
        const fits = value === undefined ? !isRequired : matchesSchema(shape, value);
        if (!fits) refusals.push(refuseMember(name, shape, value));
        else if (value !== undefined && value !== null) present[name] = value;
      }
      if (refusals.length > 0) return refuseAll(refusals);
      return { ok: true, value: present as Present<Static<ObjectSchema<P>>> };
    },
  };
}

function refuseMember(name: string, shape: Schema, value: unknown): Refused {
  const isMissing = value === undefined || value === null;
  return refused(
    'invalid_request',
    `${name} ${isMissing ? 'is required' : `must be ${describe(shape)}`}`,
    name,
  );
}

/** Describes what a schema requires: `an integer`. */
function describe({ type, enum: words, anyOf }: Schema): string {
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
