/** Prints a Markdown table as `docs/performance.md` holds them: the first column says what, the others are figures. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = heads.map((_, column) => (column === 0 ? '---' : '---:'));
  for (const row of [heads, line, ...rows]) console.log(`| ${row.join(' | ')} |`);
}
