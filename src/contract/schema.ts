// JSON Schemas with the TypeScript types of what they describe: as much of JSON Schema as request and response bodies
// need. A schema is a plain object that goes into the OpenAPI document unchanged.

declare const typeOf: unique symbol;
const isOptional = Symbol('isOptional');

/** @typeParam T the described values; exists only for the compiler */
export interface Schema<T = unknown> extends Annotations {
  readonly type?: 'string' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
  readonly enum?: readonly (string | null)[];
  readonly const?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly [typeOf]?: T;
}

/** Members of a schema besides the type. */
export interface Annotations {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly format?: 'uuid' | 'date-time';
  readonly minimum?: number;
}

/** A member that may be absent. The mark is a symbol, which JSON leaves out. */
export interface OptionalMember {
  readonly [isOptional]: true;
}

export type Properties = Readonly<Record<string, Schema>>;

export interface ObjectSchema<P extends Properties = Properties> extends Schema<ObjectOf<P>> {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: P;
}

/** The values that a schema describes. */
export type Static<S extends Schema> = S extends Schema<infer T> ? T : never;

type OptionalNames<P extends Properties> = {
  [Name in keyof P]: P[Name] extends OptionalMember ? Name : never;
}[keyof P];

type ObjectOf<P extends Properties> = Flat<
  { [Name in Exclude<keyof P, OptionalNames<P>>]: Static<P[Name]> } & {
    [Name in OptionalNames<P>]?: Static<P[Name]>;
  }
>;

type Flat<T> = { [Name in keyof T]: T[Name] };

export const Type = {
  String: (annotations: Annotations = {}): Schema<string> => ({ type: 'string', ...annotations }),
  Integer: (annotations: Annotations = {}): Schema<number> => ({ type: 'integer', ...annotations }),
  Boolean: (annotations: Annotations = {}): Schema<boolean> => ({ type: 'boolean', ...annotations }),
  Null: (): Schema<null> => ({ type: 'null' }),
  Unknown: (): Schema => ({}),
  True: (): Schema<true> => ({ type: 'boolean', const: true }),
  /** One of these words. */
  Enum: <const Words extends readonly (string | null)[]>(
    words: Words,
    annotations: Annotations = {},
  ): Schema<Words[number]> => ({ enum: words, ...annotations }),
  Array: <S extends Schema>(items: S, annotations: Annotations = {}): Schema<Static<S>[]> => ({
    type: 'array',
    items,
    ...annotations,
  }),
  Union: <S extends Schema>(anyOf: readonly S[], annotations: Annotations = {}): Schema<Static<S>> => ({
    anyOf,
    ...annotations,
  }),
  Optional: <S extends Schema>(schema: S): S & OptionalMember => ({ ...schema, [isOptional]: true }),
  Object: <P extends Properties>(properties: P, annotations: Annotations = {}): ObjectSchema<P> => {
    const required = Object.keys(properties).filter((name) => !(isOptional in properties[name]));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...annotations };
  },
};

/** Whether a JSON value fits the schema. Objects inside are not examined: no member of a request body is one. */
export function matchesSchema(schema: Schema, value: unknown): boolean {
  const { type, anyOf, enum: words, items, minimum = -Infinity } = schema;
  if (anyOf !== undefined) return anyOf.some((one) => matchesSchema(one, value));
  if (words !== undefined) return words.some((word) => word === value);
  if (type === undefined) return true;
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value) && (value as number) >= minimum;
    case 'array':
      return (
        Array.isArray(value) && (items === undefined || value.every((item) => matchesSchema(items, item)))
      );
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'object':
      return isJsonObject(value);
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
