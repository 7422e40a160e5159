/** The first few of many names, for a sentence. */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES_SHOWN;
  return names.slice(0, MAX_NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const MAX_NAMES_SHOWN = 5;
