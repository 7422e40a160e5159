/** Prints a Markdown table as in `docs/performance.md`: the first column is a description, the others are figures. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = heads.map((_, column) => (column === 0 ? '---' : '---:'));
  for (const row of [heads, line, ...rows]) console.log(`| ${row.join(' | ')} |`);
}
