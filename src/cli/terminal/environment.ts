export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to nothing is as good as none. */
export function findVariable(environment: Environment, name: string): string | undefined {
  return nonEmpty(environment[name]);
}

export function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
