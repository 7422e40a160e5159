export type Environment = Readonly<Record<string, string | undefined>>;

/** Treats an empty variable as unset. */
export function findVariable(environment: Environment, name: string): string | undefined {
  return nonEmpty(environment[name]);
}

export function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
